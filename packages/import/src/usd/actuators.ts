import { isUsualPrim, type Prim, traverse } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';

/** Schemas that say how an actuator computes its effort; exactly one is applied. */
const CONTROLLERS = ['NewtonPDControlAPI', 'NewtonPIDControlAPI', 'NewtonNeuralControlAPI'];

/**
 * Checks the Newton actuators of a stage and gives how many are sound. Models have no actuator objects: the attributes
 * stay in the ledger and on the stage.
 */
export function importActuators(ctx: ImportContext, root: Prim): number {
	let count = 0;
	for (const prim of traverse(root, { instanceProxies: true, predicate: isUsualPrim })) {
		if (prim.typeName !== 'NewtonActuator' || ctx.isIgnored(prim.path.toString())) continue;
		if (isSound(ctx, prim)) count++;
	}
	return count;
}

function isSound(ctx: ImportContext, prim: Prim): boolean {
	const refuse = (message: string, property?: string): boolean => {
		ctx.tell('IMP083', prim, message, property);
		return false;
	};
	const targets = prim.relationship('newton:targets').targets();
	if (targets.length !== 1)
		return refuse(`newton:targets names ${targets.length} prims, expected one joint`, 'newton:targets');
	const path = targets[0]!.toString();
	const joint = ctx.joints.get(path);
	if (joint === undefined)
		return refuse(`newton:targets names <${path}>, which is no imported joint`, 'newton:targets');
	const sizes = ctx.builder.column('jointDofDim');
	const dofs = sizes[2 * joint]! + sizes[2 * joint + 1]!;
	if (dofs !== 1)
		return refuse(`newton:targets names a joint with ${dofs} degrees of freedom, expected one`, 'newton:targets');
	const controllers = CONTROLLERS.filter((schema) => prim.hasSchema(schema));
	if (controllers.length !== 1) {
		return refuse(`${controllers.length} control schemas are applied, expected one of ${CONTROLLERS.join(', ')}`);
	}
	return true;
}
