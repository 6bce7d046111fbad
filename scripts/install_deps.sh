#!/usr/bin/env bash
# Installs what is missing for building Belay on Debian, with --tests also for testing it, and with
# --bench also for its benchmark and the libraries it is compared with, as far as there are packages;
# with --arm64 for building and testing for arm64.
# Does nothing, and needs neither network nor root, when all is there.
set -euo pipefail

build_packages=(
  g++ cmake ninja-build make pkg-config
  libtbb-dev libhwy-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libcli11-dev libexpected-dev)
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev clang libclang-rt-14-dev python3 binutils)

arm64_packages=(g++-aarch64-linux-gnu qemu-user)

bench_packages=(libbenchmark-dev python3)
bench_peers=(libeigen3-dev libtorch-dev python3-numpy python3-dev pybind11-dev)

wanted=("${build_packages[@]}")
optional=()
case ${1:-} in
  "") ;;
  --tests) wanted+=("${test_packages[@]}") ;;
  --arm64) wanted+=("${arm64_packages[@]}") ;;
  --bench)
    wanted+=("${bench_packages[@]}")
    optional=("${bench_peers[@]}")
    ;;
  *)
    echo "usage: $0 [--tests | --bench | --arm64]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "This is not Debian; please install what these packages hold: ${wanted[*]}" >&2
  exit 1
fi

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
missing_optional=()
for package in "${optional[@]}"; do
  is_installed "$package" || missing_optional+=("$package")
done
[ "$((${#missing[@]} + ${#missing_optional[@]}))" -ne 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  [ "${#missing_optional[@]}" -eq 0 ] ||
    echo "Left out, as not root: ${missing_optional[*]}" >&2
  [ "${#missing[@]}" -ne 0 ] || exit 0
  echo "Missing packages; as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
if [ "${#missing[@]}" -ne 0 ]; then
  echo "Installing: ${missing[*]}"
  apt-get update -qq
  install "${missing[@]}"
elif [ "${#missing_optional[@]}" -ne 0 ]; then
  apt-get update -qq || echo "Left out, no package lists: ${missing_optional[*]}" >&2
fi
for package in "${missing_optional[@]}"; do
  echo "Installing: $package"
  install "$package" || echo "Left out, cannot be installed: $package" >&2
done
