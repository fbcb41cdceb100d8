#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs one, or all after another, for SECONDS each:
#
#   bash tests/fuzz/run.sh SECONDS [TARGET]
#
# Corpora grow in build-fuzz/corpus/TARGET, from the seeds that the target makes; what is found lies in
# build-fuzz/findings/TARGET. Needs clang and libclang-rt-14-dev (Debian). Exit status 1 with a finding.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ $# -lt 1 || $# -gt 2 || ! $1 =~ ^[0-9]+$ ]]; then
  echo "usage: bash tests/fuzz/run.sh SECONDS [TARGET]" >&2
  exit 2
fi
seconds=$1
build=build-fuzz
cmake --preset fuzz >/dev/null
cmake --build $build --target stiction_fuzzer ${STICTION_JOBS:+--parallel "$STICTION_JOBS"}
fuzzer=$build/bin/stiction_fuzzer
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=tests/fuzz/lsan.supp:print_suppressions=0}
targets=${2:-$($fuzzer --list)}

failed=0
for target in $targets; do
  corpus=$build/corpus/$target
  findings=$build/findings/$target/
  log=$build/findings/$target.log
  mkdir -p "$corpus" "$findings"
  $fuzzer --target="$target" --seeds="$corpus"
  if $fuzzer --target="$target" "$corpus" -max_total_time="$seconds" -artifact_prefix="$findings" \
    -timeout=60 -rss_limit_mb=3000 -max_len=1048576 -print_final_stats=1 >"$log" 2>&1; then
    verdict="no finding"
  else
    verdict="FINDING, see $log"
    failed=1
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  echo "$target: ${runs:-?} executions, $verdict"
done
# What programs that were stopped left behind.
for folder in /dev/shm/stiction_fuzz_*; do
  if [[ -d $folder && ! -d /proc/${folder##*_} ]]; then rm -rf "$folder"; fi
done
exit $failed
