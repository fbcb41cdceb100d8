#!/usr/bin/env bash
# From a fresh clone to a first simulation: installs what is missing, builds the programs into build/, runs the demonstration
# scene, and draws it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

echo "1/3  Packages"
bash third_party/install.sh
echo "2/3  Building the programs into build/ (the first time takes a few minutes)"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
if ! { cmake --preset release && cmake --build build --parallel "$(nproc)" --target stiction_runner stiction_viewer; } > "$log" 2>&1; then
  cat "$log" >&2
  echo "The build failed; its output is above." >&2
  exit 1
fi
echo "3/3  A robot arm beside ten boxes of 1 kg that carry one of 500 kg, for 5 s"
echo
scene=(assets/demo/arm_beside_stack.xml --keyframe home --time 5)
build/bin/stiction run "${scene[@]}"
picture=build/arm_beside_stack.png
build/bin/stiction render "${scene[@]}" --show contacts,forces --out "$picture"
echo
echo "A picture of it: $picture"
echo "Next: build/bin/stiction-view ${scene[0]}, or build/bin/stiction --help"
