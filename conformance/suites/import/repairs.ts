import type { Model } from '@manyworlds/model';
import type { ExpectedModel } from '../../src/newton/expected-model.ts';
import type { Repair, Repairs } from '../../src/newton/model-differences.ts';
import type { SuiteContext } from '../../src/suite.ts';
import { approximatedShapes } from './approximated-shapes.ts';
import { collapseInertia, type RecordedCollapse } from './collapse-inertia.ts';
import { fittedShapes } from './fitted-shapes.ts';
import type { ImportCase } from './import-case.ts';
import { urdfVelocity } from './urdf-velocity.ts';

/** What a rule about a fault of the reference may look at. */
export interface RepairInput {
	readonly it: ImportCase;
	readonly context: SuiteContext;
	readonly model: Model;
	readonly expected: ExpectedModel;
	/** Collapses of fixed joints, in order. */
	readonly collapses: readonly RecordedCollapse[];
}

/** A known fault of the reference (FORMAT.md): the arrays it changes, with what is right and what the reference makes. */
export type RepairRule = (input: RepairInput) => Iterable<readonly [name: string, repair: Repair]>;

const RULES: readonly RepairRule[] = [collapseInertia, urdfVelocity, fittedShapes, approximatedShapes];

/** Repairs of all faults that a case touches. */
export function repairsOf(input: RepairInput): Repairs {
	return new Map(RULES.flatMap((rule) => [...rule(input)]));
}
