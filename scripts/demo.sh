#!/usr/bin/env bash
# Builds Belay, installs it into ./install, and runs the examples with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_deps.sh
cmake --preset release -DBELAY_BUILD_TESTS=OFF --log-level=WARNING
cmake --build --preset release
cmake --install build/release --prefix "$PWD/install" >/dev/null

# shellcheck source=cmake/set_env.sh
. install/set_env.sh
echo
belay info
echo
examples/run.sh
