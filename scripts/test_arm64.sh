#!/usr/bin/env bash
# Builds for arm64 with Debian's cross compiler and runs the tests of kernels and operators under
# qemu: they compare with plain references, so passing means the same bits as on any other machine.
#
# The arm64 libraries are unpacked into build/arm64-root; nothing of the system's is replaced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for variable in $(compgen -e); do
  case $variable in BELAY_* | ASCEND_*) unset "$variable" ;; esac
done

scripts/install_deps.sh --arm64

libraries=(
  libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev libhwy1 libfmt-dev libfmt9
  libspdlog-dev libspdlog1.10
  nlohmann-json3-dev libcli11-dev libexpected-dev
  libgtest-dev libgmock-dev librapidcheck-dev)
root=$PWD/build/arm64-root
if [ ! -e "$root/complete" ]; then
  # An apt of its own: the system's one need not know the architecture.
  apt=$PWD/build/arm64-apt
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,packages} "$root"
  touch "$apt/state/status"
  options=(
    -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt/state"
    -o Dir::State::status="$apt/state/status" -o Dir::Cache="$apt/cache"
    -o APT::Sandbox::User=root -qq)
  apt-get "${options[@]}" update
  (cd "$apt/packages" && apt-get "${options[@]}" download "${libraries[@]}")
  for package in "$apt"/packages/*.deb; do dpkg -x "$package" "$root"; done
  touch "$root/complete"
fi

if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset arm64 --log-level=WARNING
cmake --build --preset arm64 --target unit

# Death tests start the program again, which only the machine itself could do.
tests='*Tile*:*CopyNd*:*Half*:*Pack*:*RowAdd*:*DenseAdd*:*IndexScan*:*RowOrder*'
tests+=':*IndexAdd*:*Repeat*:*SetValue*:*QuantParam*:-*DeathTest*'
for threads in 1 2 5; do
  echo "== $threads threads"
  BELAY_NUM_THREADS=$threads qemu-aarch64 -L /usr/aarch64-linux-gnu \
    build/arm64/tests/unit --gtest_brief=1 --gtest_filter="$tests"
done
echo "test_arm64.sh: all passed"
