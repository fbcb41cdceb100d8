#!/usr/bin/env bash
# Searches on all cores for SECONDS: worlds by step_fuzz and files by fuzz_regression, as an optimised build
# without sanitizers has them, a hundred times as many as run.sh beside.
#
#   [JOBS=16] [WORLDS=11] [FIRST=1] bash tests/fuzz/volume.sh SECONDS [BUILD]
#
# Of JOBS processes, one a core, WORLDS step worlds: two thirds, unless said otherwise. Another FIRST (0 to 99)
# searches among other worlds and files. BUILD [build-fast] has the two programs in BUILD/bin; in BUILD/volume
# lie findings.txt (worlds, by their seeds), findings/ (files), and a line for every run. Prints how many worlds
# and files there were. Exit status 1 with a finding.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ $# -lt 1 || $# -gt 2 || ! $1 =~ ^[0-9]+$ ]]; then
  echo "usage: [JOBS=N] [WORLDS=N] [FIRST=N] bash tests/fuzz/volume.sh SECONDS [BUILD]" >&2
  exit 2
fi
seconds=$1 build=$PWD/${2:-build-fast}
jobs=${JOBS:-$(nproc)} first=${FIRST:-1}
worlds=${WORLDS:-$(((2 * jobs + 2) / 3))}
corpora=$PWD/build-fuzz/corpus
start=$(date +%s)
rm -rf "$build/volume"
mkdir -p "$build/volume/findings"
cd "$build/volume"
left() { echo $((seconds - ($(date +%s) - start))); }

# Half of the worlds stand at random, half are arranged. Most end when they become dear, one chunk in eight goes
# on for longer.
step_worlds() {
  local job=$1 chunk=0 seed allowance status
  while [[ $(left) -gt 1 ]]; do
    seed=$((first * 4000000 + job * 40000 + chunk / 2 * 500 + 400000000))
    if [[ $((chunk % 2)) == 1 ]]; then seed=$((seed + 1000000000)); fi
    allowance=0.005
    if [[ $((chunk % 16)) -ge 14 ]]; then allowance=0.03; fi
    timeout -k 2 $(($(left) + 5)) "$build/bin/step_fuzz" --seed $seed --count 500 --quiet 1 --continued 4 \
      --allowance $allowance --seconds "$(left)" >"world.$job" 2>&1
    status=$?
    grep "^world" "world.$job" >>"findings.$job.txt"
    echo "$seed, exit status $status: $(tail -1 "world.$job")" >>"worlds.$job.txt"
    chunk=$((chunk + 1))
  done
}

# Ten seconds a target, from the seeds and what libFuzzer left of earlier searches.
read_files() {
  local job=$1 chunk=0 name seed status
  local -a names=($("$build/bin/fuzz_regression" --list)) corpus
  mkdir -p "files.$job"
  cd "files.$job"
  while [[ $(left) -gt 1 ]]; do
    name=${names[$(((job + chunk) % ${#names[@]}))]}
    seed=$((first * 10000000 + job * 100000 + chunk))
    corpus=()
    if [[ -d $corpora/$name ]]; then corpus=(--corpus "$corpora/$name"); fi
    timeout -k 2 90 "$build/bin/fuzz_regression" --target "$name" --seed $seed --count 1000000000 \
      --seconds $(($(left) < 10 ? $(left) : 10)) --round-trips 8 ${corpus[@]+"${corpus[@]}"} >out 2>err
    status=$?
    if [[ $status != 0 && $status != 124 ]]; then  # 124: had no time
      mv "fuzz_finding_$name" "../findings/${name}_$seed" 2>/dev/null
      cp err "../findings/${name}_$seed.txt"
    fi
    echo "$name, seed $seed, exit status $status: $(tail -1 out)" >>"../files.$job.txt"
    chunk=$((chunk + 1))
  done
}

for ((job = 0; job < jobs; ++job)); do
  if ((job < worlds)); then step_worlds $job & else read_files $job & fi
done
wait
cat findings.*.txt >findings.txt 2>/dev/null
cat worlds.*.txt 2>/dev/null |
  awk '{ for (i = 1; i < NF; ++i) if ($(i + 1) == "worlds") n += $i } END { print n + 0, "worlds" }'
cat files.*.txt 2>/dev/null |
  awk '{ for (i = 1; i < NF; ++i) if ($(i + 1) ~ /^inputs/) n[$1] += $i } END { for (t in n) print t, n[t], "inputs" }' |
  sort
if [[ -s findings.txt || -n $(ls findings) ]]; then
  echo "FINDINGS, see $build/volume"
  exit 1
fi
