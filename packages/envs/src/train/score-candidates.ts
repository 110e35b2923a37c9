import { UsageRangeError } from '@manyworlds/core';
import type { VectorEnv } from '../vector-env.ts';
import type { Policy } from './policy.ts';

/** Options of {@link scoreCandidates}. @public */
export interface ScoreOptions {
	/** Seed of the episodes; all candidates meet the same ones. */
	readonly seed: number;
	/** Most actions of an episode; as long as the task says unless given. */
	readonly mostSteps?: number;
}

/**
 * Runs one episode in every world and gives the mean sum of rewards of each candidate: the worlds are dealt out to the candidates
 * in equal runs, so that all of them act at once. @public
 */
export async function scoreCandidates(
	env: VectorEnv,
	policy: Policy,
	candidates: readonly Float64Array[],
	{ seed, mostSteps = Number.POSITIVE_INFINITY }: ScoreOptions,
): Promise<Float64Array> {
	const { worldCount, observations, actions } = env;
	const share = worldCount / candidates.length;
	if (!Number.isInteger(share) || share < 1)
		throw new UsageRangeError(
			`${worldCount} worlds for ${candidates.length} candidates, expected the same number for each`,
		);
	for (let world = 0; world < worldCount; world++) env.worlds.stream[world] = world % share;
	await env.reset(undefined, seed);
	const scores = new Float64Array(worldCount);
	const isOver = new Uint8Array(worldCount);
	for (let step = 0; step < mostSteps && isOver.includes(0); step++) {
		for (let world = 0; world < worldCount; world++) {
			const candidate = candidates[Math.floor(world / share)]!;
			const from = world * policy.observationCount;
			policy.act(candidate, observations, from, actions, world * policy.actionCount);
		}
		await env.step();
		for (let world = 0; world < worldCount; world++) {
			if (isOver[world] === 1) continue;
			scores[world] = scores[world]! + env.rewards[world]!;
			isOver[world] = env.terminated[world]! | env.truncated[world]!;
		}
	}
	return Float64Array.from(candidates, (_, candidate) => {
		let sum = 0;
		for (let i = 0; i < share; i++) sum += scores[candidate * share + i]!;
		return sum / share;
	});
}
