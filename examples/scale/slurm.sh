#!/bin/bash
# Twenty workers at a time, each with a machine of its own: `sbatch slurm.sh`, with worker.env in the same folder.
# When the time of one is up, the next of the array begins.
#SBATCH --job-name=pwp-worker
#SBATCH --array=1-200%20
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time=12:00:00
# Begins again if it is preempted, if its machine fails, and after `scontrol requeue`.
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=pwp-worker-%A_%a.log
# A minute before the end of its time. Attempts are given back within 30 seconds.
#SBATCH --signal=B:TERM@60

set -a
. "${SLURM_SUBMIT_DIR:-.}/worker.env"
set +a

# In place of this shell, so that it gets Slurm's signals. KillWait must be 30 seconds or more, which is its default.
exec pwp worker --parallel "${PWP_PARALLEL:-8}"
