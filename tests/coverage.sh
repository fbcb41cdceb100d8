#!/usr/bin/env bash
# Which lines of src the tests run, the least covered files last: bash tests/coverage.sh [FOLDER ...]
# Of some folders of src, as geometry or io: by their own tests alone. Pages of it: build-coverage/coverage/index.html.
#
# The tests of src run as whole programs, in as many shares as there are jobs: a process that ends adds its counts to a file
# for each source, which takes longer than most tests do. Those of programs and windows run by CTest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${STICTION_JOBS:-$(nproc)}

folders=("$@") targets=() filters=()
for folder in "$@"; do
  [[ -d "src/$folder" && -d "tests/$folder" ]] || { echo "coverage.sh: '$folder' is no folder of src with tests" >&2; exit 2; }
  targets+=(--target "${folder}_tests")
  filters+=(--filter "src/$folder/")
done
if (( $# == 0 )); then
  filters=(--filter src/)
  for folder in src/*/; do
    folder=$(basename "$folder")
    [[ ! -d "tests/$folder" ]] || folders+=("$folder")
  done
fi

cmake --preset coverage > /dev/null
cmake --build build-coverage --parallel "$jobs" "${targets[@]}"
find build-coverage -name '*.gcda' -delete  # of an earlier run
mkdir -p build-coverage/coverage

# FOLDER SHARE: says what failed, and what of it is in the log.
run_share() {
  local log=build-coverage/coverage/$1.$2.log
  GTEST_TOTAL_SHARDS=$3 GTEST_SHARD_INDEX=$2 GTEST_BRIEF=1 "build-coverage/bin/$1_tests" > "$log" 2>&1 && return
  echo "$1_tests, share $2 of $3 failed: $log" >&2
  grep '^\[  FAILED  \]' "$log" >&2 || tail -n 3 "$log" >&2
  return 1
}
export -f run_share
failed=0
for folder in "${folders[@]}"; do
  for (( share = 0; share < jobs; ++share )); do echo "$folder $share $jobs"; done
done | xargs -P "$jobs" -L 1 bash -c 'run_share "$@"' run_share || failed=1
if (( $# == 0 )); then
  ctest --test-dir build-coverage -j "$jobs" --quiet --output-on-failure \
    -LE "^($(IFS='|'; echo "${folders[*]}"))\$" || failed=1
fi

gcovr --root . "${filters[@]}" --sort-percentage --txt --html-details build-coverage/coverage/index.html build-coverage
exit $failed
