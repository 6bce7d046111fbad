#!/usr/bin/env bash
# Checks the installed tree as a user meets it: installs into a temporary directory, moves it, and
# builds and runs programs against what was moved.
#
#   tests/install/install_test.sh BUILD_DIRECTORY
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:?usage: install_test.sh BUILD_DIRECTORY}" && pwd)
for variable in $(compgen -e); do
  case $variable in BELAY_* | ASCEND_* | LD_LIBRARY_PATH) unset "$variable" ;; esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A blank in the path finds missing quotes.
tree="$work/moved here/belay"
mkdir -p "$work/moved here"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$tree"

step() { echo "-- $*"; }
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# expect WHAT WANTED GOT
expect() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

compilers=(g++)
if command -v clang++ >/dev/null; then compilers+=(clang++); fi
shells=()
for shell in sh bash dash zsh; do
  if command -v "$shell" >/dev/null; then shells+=("$(command -v "$shell")"); fi
done

step "dynamic sections"
[ -L "$tree/lib64" ] || fail "lib64 is not a link"
for file in "$tree"/lib/*.so "$tree/bin/belay"; do
  dynamic=$(readelf -d "$file")
  name=$(basename "$file")
  # The word in brackets at the end of the line of one tag.
  entry() { sed -n "s/.*($1).*\[\(.*\)\]\$/\1/p" <<<"$dynamic"; }
  if [ "$name" = belay ]; then
    expect "RUNPATH of $name" "\$ORIGIN/../lib" "$(entry RUNPATH)"
  else
    expect "RUNPATH of $name" "\$ORIGIN" "$(entry RUNPATH)"
    expect "soname of $name" "$name" "$(entry SONAME)"
  fi
  expect "RPATH of $name" "" "$(entry RPATH)"
  if grep -qF -e "$build" -e "$root" -e "$work" <<<"$dynamic"; then
    fail "$name knows the directory it was built in"
  fi
done

# What a shell has after sourcing set_env.sh twice, with variables unset or as given.
# shellcheck disable=SC2016 # the shell under test expands it
report='printf "%s|%s|%s|%s|%s" "$ASCEND_HOME_PATH" "$ASCEND_TOOLKIT_HOME" "$ATB_HOME_PATH" \
  "$LD_LIBRARY_PATH" "$PATH"'
path=/usr/local/bin:/usr/bin:/bin
atb=$tree/atb/cxx_abi_1
for shell in "${shells[@]}"; do
  step "set_env.sh in $shell"
  twice=". './belay/set_env.sh'; . '$tree/set_env.sh'; $report"
  got=$(cd "$work/moved here" && env -i PATH="$path" "$shell" -euc "$twice")
  expect "empty environment" "$tree|$tree|$atb|$tree/lib|$tree/bin:$path" "$got"
  got=$(cd "$work/moved here" &&
    env -i PATH="/x:$tree/bin:$path" LD_LIBRARY_PATH="/x:$tree/lib" "$shell" -euc "$twice")
  expect "paths set" "$tree|$tree|$atb|$tree/lib:/x|$tree/bin:/x:$path" "$got"
  got=$(cd "$work/moved here" && env -i "$shell" -euc "unset PATH; $twice")
  expect "no PATH" "$tree|$tree|$atb|$tree/lib|$tree/bin:$path" "$got"
  ln -sf "$tree/set_env.sh" "$work/link.sh"
  got=$(env -i PATH="$path" "$shell" -euc ". '$work/link.sh'; $report")
  expect "through a link" "$tree|$tree|$atb|$tree/lib|$tree/bin:$path" "$got"

  step "belay env in $shell"
  got=$(env -i PATH="$path" "$shell" -euc \
    "eval \"\$('$tree/bin/belay' env)\"; eval \"\$(belay env)\"; $report")
  expect "belay env" "$tree|$tree|$atb|$tree/lib|$tree/bin:$path" "$got"
done

step "set_env.sh --cxx_abi"
got=$(env -i PATH="$path" bash -euc ". '$tree/atb/set_env.sh' --cxx_abi=1; $report")
expect "--cxx_abi=1" "$tree|$tree|$atb|$tree/lib|$tree/bin:$path" "$got"
if env -i PATH="$path" bash -c ". '$tree/set_env.sh' --cxx_abi=0" 2>"$work/err.txt"; then
  fail "--cxx_abi=0 was accepted"
fi
grep -q 'not served yet' "$work/err.txt" || fail "no message about --cxx_abi=0"

step "belay info"
"$tree/bin/belay" info | grep '^Chip *Ascend910B4' >/dev/null || fail "info names no chip"
"$tree/bin/belay" info --json | python3 -c 'import json, sys; json.load(sys.stdin)["chip"]'
status=0
BELAY_SOC=nonsense "$tree/bin/belay" info >"$work/out.txt" 2>"$work/err.txt" || status=$?
expect "exit code with a bad variable" 2 "$status"
grep -q 'BELAY_SOC is "nonsense"; allowed' "$work/err.txt" || fail "no message about BELAY_SOC"
BELAY_BEHAVIOUR=released "$tree/bin/belay" info | grep 'BELAY_BEHAVIOUR is set, but' >/dev/null ||
  fail "no warning about an unknown variable"

step "belay decode and belay/quant_param.h"
"$tree/bin/belay" decode 0x000040003F8CCCCD | grep '^packed32   fits' >/dev/null ||
  fail "decode does not know the layout"
status=0
"$tree/bin/belay" decode "$work/none.npy" >"$work/out.txt" 2>"$work/err.txt" || status=$?
expect "exit code without a file" 2 "$status"
for compiler in "${compilers[@]}"; do
  "$compiler" -std=c++11 -Wall -Wextra -pedantic -Werror -I"$tree/include" \
    "$root/tests/headers/quant_param_cxx11.cc" -o "$work/quant_param"
  "$work/quant_param" || fail "quant_param.h with $compiler"
done

# shellcheck source=cmake/set_env.sh
. "$tree/set_env.sh"

for compiler in "${compilers[@]}"; do
  step "examples with $compiler"
  CXX=$compiler "$root/examples/run.sh" >"$work/examples.txt" 2>&1 || {
    cat "$work/examples.txt"
    fail "examples with $compiler"
  }
  if grep -i 'warning' "$work/examples.txt"; then fail "warnings with $compiler"; fi
done

# Build lines outside this project rarely quote, so the rest runs from a path without blanks.
mv "$tree" "$work/plain"
tree=$work/plain
eval "$("$tree/bin/belay" env)"

step "the program of README.md"
# The first block of each language: the program, how to build and run it, what it prints.
block() { awk -v fence="\`\`\`$1" '$0 == fence && !done { on = 1; next }
  /^```/ { if (on) done = 1; on = 0 } on' "$root/README.md"; }
mkdir "$work/readme"
block cpp >"$work/readme/pack.cpp"
block text >"$work/readme/expected.txt"
awk '/^g\+\+ pack/,/-o pack$/; /^\.\/pack$/' "$root/README.md" >"$work/readme/build.sh"
(cd "$work/readme" && bash -eu build.sh >result.txt && diff expected.txt result.txt) ||
  fail "README.md's program"

step "pkg-config"
if command -v pkg-config >/dev/null; then
  read -ra flags < <(PKG_CONFIG_PATH="$tree/lib/pkgconfig" pkg-config --cflags --libs belay)
  g++ "$work/readme/pack.cpp" "${flags[@]}" -o "$work/by_pkg_config"
  "$work/by_pkg_config" | diff "$work/readme/expected.txt" -
fi

step "find_package"
cat >"$work/readme/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(Consumer CXX)
find_package(Belay 0.1 CONFIG REQUIRED)
add_executable(pack pack.cpp)
target_link_libraries(pack PRIVATE Belay::ascendcl Belay::nnopbase Belay::opapi)
foreach(library IN ITEMS acl_rt opapi_nn opapi_math atb)
  if(NOT TARGET Belay::${library})
    message(FATAL_ERROR "no target Belay::${library}")
  endif()
endforeach()
CMAKE
cmake -S "$work/readme" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$tree" >/dev/null
cmake --build "$work/consumer" >/dev/null
env -u LD_LIBRARY_PATH "$work/consumer/pack" | diff "$work/readme/expected.txt" -

step "dlopen"
python3 - <<'PYTHON'
import ctypes
acl = ctypes.CDLL("libascendcl.so")
acl.aclrtGetSocName.restype = ctypes.c_char_p
assert acl.aclrtGetSocName() == b"Ascend910B4", acl.aclrtGetSocName()
PYTHON

echo "install_test.sh: the installed tree works"
