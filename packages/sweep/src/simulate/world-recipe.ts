import type { Report } from '@manyworlds/core';
import { type Model, ModelBuilder, type State } from '@manyworlds/model';
import type { SolverSapOptions } from '@manyworlds/sim';
import { RefusedRun } from './sweep-asset.ts';

/** All that the worlds of a run are made of. */
export interface WorldRecipe {
	/** One world. */
	readonly builder: ModelBuilder;
	/** The same world as a model by itself, with what its start was found by. */
	readonly model: Model;
	readonly start: State;
	/** [s] */
	readonly dt: number;
	/** [s] */
	readonly duration: number;
	readonly solver: string;
	readonly sap: SolverSapOptions;
	readonly contactsPerWorld?: number;
}

/** A model with one world, or with each of many. */
export function finishWorlds(worlds: readonly ModelBuilder[]): Model {
	const first = worlds[0]!;
	const { upAxis, gravity, contactDefaults, rigidGap } = first;
	const builder = new ModelBuilder({ upAxis, gravity, contactDefaults, rigidGap });
	if (first.rigidContactsPerWorld !== undefined) builder.rigidContactsPerWorld = first.rigidContactsPerWorld;
	for (const world of worlds) builder.addWorld(world);
	return builder.finalize();
}

/** What worlds must have in common to be computed side by side. */
export function structureOf({ builder, dt, duration, solver, sap, contactsPerWorld }: WorldRecipe): string {
	const counts = (
		[
			'body',
			'shape',
			'joint',
			'jointDof',
			'jointCoord',
			'articulation',
			'equalityConstraint',
			'constraintMimic',
		] as const
	).map((entity) => builder.count(entity));
	return JSON.stringify([
		solver,
		dt,
		duration,
		sap,
		contactsPerWorld,
		builder.upAxis,
		builder.rigidGap,
		counts,
		[...builder.column('jointType')],
	]);
}

/** Makes a refusal of a report with errors. */
export function refusalOf(message: string, report: Report): RefusedRun {
	const errors = report.toArray().filter(({ severity }) => severity === 'error');
	const first = errors[0]?.message;
	return new RefusedRun(
		first === undefined ? message : `${message}: ${first}`,
		errors.map(({ code }) => code),
	);
}
