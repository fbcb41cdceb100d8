#!/usr/bin/env bash
# Makes the table of src/contact/README.md anew: all solvers on problems frozen from shipped scenes. Takes minutes.
#   tests/tools/compare_solvers.sh [BUILD_FOLDER]
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
stiction="$root/${1:-build-fast}/bin/stiction"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$root"

# scene, time [s], a problem every so many steps
while read -r scene time every; do
  "$stiction" run "$scene" --time "$time" --dt 0.005 --every "$every" --quiet --budget none \
    --problems "$folder/$(tr -c 'a-z0-9\n' _ <<< "$scene").h5" > /dev/null
done <<'SCENES'
scene:stack:count=10 0.1 10
scene:stack:count=10:ratio=1000 0.1 10
scene:clutter:count=20:seed=1 0.6 30
scene:dishes 0.05 5
scene:brick_wall 0.1 10
scene:walker 0.1 10
assets/models/nut_on_bolt.xml 0.02 2
assets/models/crank_rocker.xml 0.1 10
SCENES

table="$folder/table.md"
"$stiction" solve "$folder"/*.h5 --solver all --markdown "$table" > /dev/null
python3 - "$root/src/contact/README.md" "$table" <<'PYTHON'
import sys
page, table = (open(path).read() for path in sys.argv[1:])
begin, end = "<!-- table: tests/tools/compare_solvers.sh -->\n", "<!-- end of table -->"
i, j = page.index(begin) + len(begin), page.index(end)
open(sys.argv[1], "w").write(page[:i] + table + page[j:])
PYTHON
