import { quatRotate } from '@manyworlds/core/internal';
import type { PhysicsRigidBody, Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { readCustomValues } from './custom-values.ts';
import { DEGREE } from './joint-values.ts';
import { composePoses, inversePose, type Pose } from './poses.ts';
import type { VisualLoader } from './visuals.ts';

/** A body that is to be added. */
export interface PreparedBody {
	readonly prim: Prim;
	readonly path: string;
	/** In the builder's space, in units of the stage. */
	readonly pose: Pose;
	readonly velocity: Float64Array;
	readonly isKinematic: boolean;
	/** Pose of the articulation root on the stage when roots are placed anew. */
	readonly root: Pose | undefined;
}

/** Settles where a body goes; undefined for one that is not to be loaded. */
export function prepareBody(
	ctx: ImportContext,
	body: PhysicsRigidBody,
	root: Pose | undefined,
): PreparedBody | undefined {
	if (!body.rigidBodyEnabled && ctx.options.onlyLoadEnabledRigidBodies) return undefined;
	const prim = ctx.stage.prim(body.primPath)!;
	const { pose: onStage, scale } = ctx.factored(prim);
	const path = body.primPath.toString();
	if (scale[0]! < 0) {
		ctx.tell(
			'IMP010',
			prim,
			'the world transform of the body mirrors; its frame is turned so that its geometry stays in place',
		);
	}
	const pose =
		root === undefined ? composePoses(ctx.incoming, onStage) : composePoses(ctx.incoming, inversePose(root), onStage);
	const velocity = new Float64Array(6);
	quatRotate(velocity, pose, Float64Array.from(body.linearVelocity), 0, 3, 0);
	quatRotate(
		velocity,
		pose,
		Float64Array.from(body.angularVelocity, (rate) => rate * DEGREE),
		3,
		3,
		0,
	);
	return { prim, path, pose, velocity, isKinematic: body.kinematicBody, root };
}

/** Adds a body with its visuals and sites. */
export function addBody(ctx: ImportContext, visuals: VisualLoader, body: PreparedBody): number {
	const { builder } = ctx;
	const index = builder.addLink({
		xform: body.pose,
		label: body.path,
		isKinematic: body.isKinematic,
		attributes: readCustomValues(ctx, body.prim, ['body']),
	});
	builder.column('bodyQd').set(body.velocity, 6 * index);
	ctx.bodies.set(body.path, index);
	ctx.mark(body.path, 'body');
	const why = 'the transforms of the prim and of those above it, in the space and units of the builder';
	ctx.give('body_q', index, { source: 'computed', path: body.path, why });
	const turned = 'turned into axes of the world';
	ctx.giveOrigin('body_qd', index, body.prim, 'physics:velocity', turned, 'no velocity is authored');
	visuals.loadBody(index, body.prim, body.pose, body.root);
	return index;
}
