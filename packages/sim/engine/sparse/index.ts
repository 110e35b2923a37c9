import { buildBlocks } from './blocks';
import { buildConstraints, writeImpulses } from './constraints';
import { buildGraph } from './graph';
import { solveNewton } from './newton';

export { allEvaluations, mostIterations, totalCost, wholeResidual, wholeResidualScale } from './newton';
export * from './problem';

/** Solves the problem that the host has written. Gives a `SapStop`. */
export function solve(): i32 {
	buildGraph();
	buildBlocks();
	buildConstraints();
	const stop = solveNewton();
	writeImpulses();
	return stop;
}
