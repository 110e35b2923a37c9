import type { EnvWorlds } from '../env-worlds.ts';
import type { RandomDraws } from '../random-draws.ts';

/** Something about a world that is drawn anew for every episode, or in every step. @public */
export interface RandomTerm {
	/** What is drawn, unique among the terms of an environment: numbers belong to it. */
	readonly name: string;
	bind(worlds: EnvWorlds): BoundRandom;
}

/** A {@link RandomTerm} with its worlds. @public */
export interface BoundRandom {
	/** What of the model it edits: bits of `ModelFlags`; 0 for none. */
	readonly modelFlags: number;
	/** Changes a world that begins an episode: the model, or joint coordinates and velocities of the state. */
	draw?(world: number, draws: RandomDraws): void;
	/** Changes a world before each action: forces on its bodies. */
	act?(world: number, draws: RandomDraws): void;
}

/** Least and greatest of numbers that are equally likely. @public */
export type Span = readonly [lower: number, upper: number];
