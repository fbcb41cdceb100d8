#!/usr/bin/env bash
# Runs a command beside a Slurm cluster of this machine alone, with sbatch and squeue of that cluster in its environment:
#
#   bash tests/tools/slurm_here.sh bash -c 'sbatch job.sh'
#
# The cluster lives in a folder of its own, on ports of its own, trusts everybody who reaches them, and ends with the
# command, whose exit code is the script's. 77: there is no cluster, because a program is missing or does not start.
set -uo pipefail
PATH="$PATH:/usr/sbin"
for program in slurmctld slurmd sbatch sinfo; do
  command -v "$program" > /dev/null || { echo "slurm_here.sh: $program is not installed" >&2; exit 77; }
done

folder="$(mktemp -d)"
host="$(hostname -s)"
port=$((20000 + RANDOM % 10000))
mkdir "$folder/state" "$folder/spool"
export SLURM_CONF="$folder/slurm.conf"
cat > "$SLURM_CONF" << END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_min_interval=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END

# In the foreground of jobs of this shell, so that they can be ended by their numbers.
slurmctld -D > "$folder/slurmctld.out" 2>&1 &
controller=$!
slurmd -D > "$folder/slurmd.out" 2>&1 &
node=$!
trap 'kill "$node" "$controller" 2> /dev/null; wait; rm -rf "$folder"' EXIT

for _ in $(seq 300); do
  if [[ "$(sinfo -h -o %T 2> /dev/null)" == idle ]]; then
    "$@"
    exit
  fi
  kill -0 "$controller" 2> /dev/null && kill -0 "$node" 2> /dev/null || break
  sleep 0.1
done
echo "slurm_here.sh: the cluster does not start" >&2
tail -n 5 "$folder"/*.log "$folder"/*.out >&2
exit 77
