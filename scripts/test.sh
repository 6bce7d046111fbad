#!/usr/bin/env bash
# All checks, one after the other; stops at the first part that fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Settings of the caller's must not change what is tested.
for variable in $(compgen -e); do
  case $variable in BELAY_* | ASCEND_*) unset "$variable" ;; esac
done
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  # What ccache asks for with precompiled headers.
  export CCACHE_SLOPPINESS=pch_defines,time_macros
fi
jobs=$(($(nproc) + 1))  # of tests: some wait more than they work

build_and_test() {
  local preset=$1
  shift
  cmake --preset "$preset" -DBELAY_BUILD_TESTS=ON --log-level=WARNING "$@"
  cmake --build --preset "$preset"
  ctest --preset "$preset" -j "$jobs"
}

headers() { python3 tools/check_headers.py include; }
symbols() { python3 tools/check_symbols.py build/release/src tests/abi/exported_symbols.txt; }
install_tree() { tests/install/install_test.sh build/release; }

passed=()
part() {
  local name=$1
  shift
  echo
  echo "== $name"
  local begin=$SECONDS
  # In a shell of its own: `set -e` would not apply inside a condition.
  set +e
  (set -e; "$@")
  local status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    echo "test.sh: FAILED in part '$name'; passed before: ${passed[*]:-none}"
    exit 1
  fi
  passed+=("$name ($((SECONDS - begin)) s)")
}

part dependencies scripts/install_deps.sh --tests
part layers python3 tools/check_layers.py
part release build_and_test release -DBELAY_WERROR=ON
part asan build_and_test asan
part tsan build_and_test tsan
part headers headers
part symbols symbols
part install install_tree

joined=$(printf ', %s' "${passed[@]}")
echo
echo "test.sh: all parts passed: ${joined:2}; $SECONDS s in all"
