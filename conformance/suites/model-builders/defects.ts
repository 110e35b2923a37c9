import { isObject, type JsonObject } from '../../src/json.ts';
import type { ExpectedResult, Golden, ProgramOp } from './golden.ts';

/** Arrays that a fault of the reference changes; the interpreter gives what is right. */
export const DEFECT_ARRAYS: Readonly<Record<string, readonly string[]>> = {
	'scaled-mesh-inertia': ['body_inertia', 'body_inv_inertia'],
	'collapse-inertia': ['body_inertia', 'body_inv_inertia'],
	'collapse-attributes': [],
	'merge-velocity': ['joint_qd'],
	'merge-gravity': ['gravity'],
	'filter-order': ['shape_contact_pairs'],
};

/** Faults that a program touches by the calls it makes, whether or not a number changes, sorted. */
export function touchedDefects({ program, outcomes }: Pick<Golden, 'program' | 'outcomes'>): string[] {
	const found = new Set<string>();
	const moving = new Set<string>();
	program.builders.forEach(({ name, ops }, i) => {
		if (ops.some(({ op }) => op === 'setJointQd')) moving.add(name);
		const hasAttributes = ops.some(({ op }) => op === 'declareAttribute');
		let hasOwnGravity = false;
		ops.forEach((call, k) => {
			const { op, args } = call;
			const outcome = outcomes[i]?.results[k];
			if (isStretchedMesh(call)) found.add('scaled-mesh-inertia');
			if (op === 'collapseFixedJoints' && mergesBodies(outcome)) {
				found.add('collapse-inertia');
				if (hasAttributes) found.add('collapse-attributes');
			}
			if (op === 'beginWorld') hasOwnGravity = Object.hasOwn(args, 'gravity');
			if (op === 'endWorld') hasOwnGravity = false;
			if (op === 'addBuilder' && hasOwnGravity) found.add('merge-gravity');
			const isMerge = op === 'addBuilder' || op === 'addWorld' || op === 'replicate';
			if (isMerge && outcome?.error === undefined && moving.has(args.builder as string)) {
				if (isTurned(args)) found.add('merge-velocity');
				moving.add(name);
			}
			if (isObject(args.cfg) && args.cfg.collisionFilterParent === false) found.add('filter-order');
		});
	});
	return [...found].sort();
}

function isStretchedMesh({ op, args }: ProgramOp): boolean {
	const scale = (args.scale as number[] | undefined) ?? [1];
	const isMesh = op === 'addShapeMesh' || op === 'addShapeConvexHull';
	return isMesh && (args.body as number) >= 0 && new Set(scale.map(Math.abs)).size > 1;
}

function mergesBodies(outcome: ExpectedResult | undefined): boolean {
	const parents = isObject(outcome?.result) ? outcome.result.body_merged_parent : undefined;
	return isObject(parents) && Object.values(parents).some((parent) => (parent as number) >= 0);
}

function isTurned({ xform, xforms }: JsonObject): boolean {
	const poses = [xform, ...((xforms as number[][] | undefined) ?? [])] as (number[] | null | undefined)[];
	return poses.some((pose) => pose?.slice(3, 6).some((value) => value !== 0) === true);
}
