#!/usr/bin/env bash
# Installs what is missing for building Belay on Debian, and with --tests also for testing it.
# Does nothing, and needs neither network nor root, when all is there.
set -euo pipefail

build_packages=(
  g++ cmake ninja-build make pkg-config
  libtbb-dev libhwy-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libcli11-dev libexpected-dev)
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev clang libclang-rt-14-dev python3 binutils)

wanted=("${build_packages[@]}")
case ${1:-} in
  "") ;;
  --tests) wanted+=("${test_packages[@]}") ;;
  *)
    echo "usage: $0 [--tests]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "This is not Debian; please install what these packages hold: ${wanted[*]}" >&2
  exit 1
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || status=
  [ "$status" = installed ] || missing+=("$package")
done
[ "${#missing[@]}" -ne 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Missing packages; as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
