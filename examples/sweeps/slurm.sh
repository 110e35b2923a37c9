#!/bin/bash
# sbatch --export=PLAN=plan.yaml,OUT=/shared/plan.sweep examples/sweeps/slurm.sh
#SBATCH --job-name=manyworlds-sweep
#SBATCH --array=0-15
#SBATCH --cpus-per-task=4
#SBATCH --requeue
# A task that is preempted or requeued goes on where it was: what is committed is not done again.
set -eu
exec manyworlds sweep "$PLAN" --out "$OUT" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
	--shard "$((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}))/$SLURM_ARRAY_TASK_COUNT"
