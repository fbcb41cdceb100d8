#!/usr/bin/env bash
# Installs what is missing, builds everything into build/, and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash third_party/install.sh
cmake --preset release -DSTICTION_BUILD_APPS=ON -DSTICTION_BUILD_TESTS=ON -DSTICTION_BUILD_PYTHON=ON
cmake --build build --parallel "$(nproc)"
# Two more than there are cores, as those of the viewer's window wait for much of their time.
ctest --test-dir build --output-on-failure -j"$(( $(nproc) + 2 ))"
