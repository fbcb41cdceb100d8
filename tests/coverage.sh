#!/usr/bin/env bash
# Which lines of src the tests run, the least covered files last: bash tests/coverage.sh [FOLDER ...]
# Of some folders of src, as geometry or io: by their own tests alone. Pages of it: build-coverage/coverage/index.html.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

targets=() filters=() labels=()
for folder in "$@"; do
  [[ -d "src/$folder" && -d "tests/$folder" ]] || { echo "coverage.sh: '$folder' is no folder of src with tests" >&2; exit 2; }
  targets+=(--target "${folder}_tests")
  filters+=(--filter "src/$folder/")
  labels+=("^$folder\$")
done
(( $# > 0 )) || filters=(--filter src/)

cmake --preset coverage > /dev/null
cmake --build build-coverage --parallel "${STICTION_JOBS:-$(nproc)}" "${targets[@]}"
find build-coverage -name '*.gcda' -delete  # of an earlier run
failed=0
ctest --test-dir build-coverage -j "${STICTION_JOBS:-$(nproc)}" --quiet --output-on-failure \
  ${labels:+-L "$(IFS='|'; echo "${labels[*]}")"} || failed=1

mkdir -p build-coverage/coverage
gcovr --root . "${filters[@]}" --sort-percentage --txt --html-details build-coverage/coverage/index.html build-coverage
exit $failed
