#!/usr/bin/env bash
# Builds the benchmark, runs it with one thread and with all, and prints the tables, which also go to
# build/bench/results: performance.md and one JSON file for each run and number of threads.
#
#   --quick          a rough picture in about a minute
#   --runs N         N runs, of which the tables show medians; default 1
#   --filter REGEX   only cases whose "group: name" matches
#   --update-docs    put the tables into docs/performance.md
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

update_docs=
runs=1
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) arguments+=(--quick) ;;
    --filter)
      arguments+=("--filter=${2:?--filter needs a regular expression}")
      shift
      ;;
    --runs)
      runs=${2:-}
      if ! [[ $runs =~ ^[1-9][0-9]*$ ]]; then
        echo "bench.sh: --runs is '$runs'; allowed 1 and above" >&2
        exit 2
      fi
      shift
      ;;
    --update-docs) update_docs=yes ;;
    *)
      echo "usage: $0 [--quick] [--runs N] [--filter REGEX] [--update-docs]" >&2
      exit 2
      ;;
  esac
  shift
done

# Settings of the caller's must not change what is measured.
for variable in $(compgen -e); do
  case $variable in BELAY_* | ASCEND_*) unset "$variable" ;; esac
done

scripts/install_deps.sh --bench
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset release -B build/bench --log-level=WARNING \
  -DBELAY_BUILD_TESTS=OFF -DBELAY_BUILD_BENCHMARKS=ON
cmake --build build/bench --target belay_bench

results=build/bench/results
mkdir -p "$results"
rm -f "$results"/*
different=
for run in $(seq "$runs"); do
  for threads in $(printf '%s\n' 1 "$(nproc)" | sort -nu); do
    echo
    echo "== run $run of $runs, threads: $threads"
    BELAY_NUM_THREADS=$threads OMP_NUM_THREADS=$threads build/bench/bench/belay_bench \
      "${arguments[@]}" --json="$results/threads_${threads}_run_$run.json" || different=yes
  done
done

echo
python3 tools/bench_table.py "$results"/threads_*.json | tee "$results/performance.md"
if [ -n "$update_docs" ]; then
  python3 tools/bench_table.py --into docs/performance.md "$results"/threads_*.json
fi
if [ -n "$different" ]; then
  echo "bench.sh: a run failed, or contestants computed different things (see above)" >&2
  exit 1
fi
