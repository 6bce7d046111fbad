#!/usr/bin/env bash
# Builds each example with an ordinary build line against ASCEND_HOME_PATH, runs it, and compares
# what it prints with what the documents say (expected.txt). Programs run with default settings.
#
#   . install/set_env.sh && examples/run.sh
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -z "${ASCEND_HOME_PATH:-}" ]; then
  echo "ASCEND_HOME_PATH is not set; source set_env.sh of an installed Belay first" >&2
  exit 2
fi
unset BELAY_BEHAVIOR BELAY_SOC BELAY_NUM_DEVICES ASCEND_RT_VISIBLE_DEVICES

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Whether a line is the expected one, in which "..." stands for any text.
matches() {
  local pattern
  pattern=$(printf '%s' "$2" | sed -e 's/[][\.*^$+?(){}|]/\\&/g' -e 's/\\\.\\\.\\\./.*/g')
  [[ $1 =~ ^$pattern$ ]]
}

same() {
  local -a got want
  mapfile -t got <"$1"
  mapfile -t want <"$2"
  [ "${#got[@]}" -eq "${#want[@]}" ] || return 1
  local i
  for i in "${!want[@]}"; do
    matches "${got[i]}" "${want[i]}" || return 1
  done
}

different=0
for input in "$here"/*/input.txt; do
  folder=$(dirname "$input")
  name=$(basename "$folder")
  echo "== $name"
  echo "input:    $(cat "$input")"
  if grep -q 'atb_example.h' "$folder/$name.cpp"; then
    "${CXX:-g++}" "$folder/$name.cpp" \
      -I"$ATB_HOME_PATH/include" -I"$ASCEND_HOME_PATH/include" \
      -L"$ATB_HOME_PATH/lib" -L"$ASCEND_HOME_PATH/lib64" -latb -lascendcl -o "$work/$name"
  else
    "${CXX:-g++}" "$folder/$name.cpp" \
      -I"$ASCEND_HOME_PATH/include" -I"$ASCEND_HOME_PATH/include/aclnn" \
      -L"$ASCEND_HOME_PATH/lib64" -lascendcl -lnnopbase -lopapi -o "$work/$name"
  fi
  status=0
  "$work/$name" >"$work/result.txt" 2>"$work/messages.txt" || status=$?
  echo "result:"
  sed 's/^/  /' "$work/result.txt"
  echo "expected:"
  sed 's/^/  /' "$folder/expected.txt"
  if [ "$status" -eq 0 ] && same "$work/result.txt" "$folder/expected.txt"; then
    echo "ok"
  else
    echo "DIFFERENT (exit code $status)"
    sed 's/^/  stderr: /' "$work/messages.txt"
    different=$((different + 1))
  fi
  echo
done

if [ "$different" -ne 0 ]; then
  echo "$different examples differ"
  exit 1
fi
echo "all examples give what is expected"
