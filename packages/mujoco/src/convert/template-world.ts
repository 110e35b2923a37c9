import { GeoType, JointType, type Model, WORLD } from '@manyworlds/model';
import { enumName } from '@manyworlds/model/internal';
import { MujocoError } from '../mujoco-error.ts';
import { nameOf, subjectOf } from './subject.ts';

/** The part of a model that is compiled: one world, with the shapes that belong to no world. */
export interface TemplateWorld {
	/** The world, -1 when no body belongs to one. */
	readonly world: number;
	/** Compiled copies that the model holds: its worlds, or 1 when all is compiled together. */
	readonly worldCount: number;
	readonly bodies: Int32Array;
	readonly joints: Int32Array;
	readonly shapes: Int32Array;
	readonly equalities: Int32Array;
	readonly mimics: Int32Array;
}

/** Chooses the world that stands for all, after checking that it can. Throws {@link MujocoError}. */
export function selectTemplateWorld(model: Model): TemplateWorld {
	if (model.jointCount === 0) {
		throw new MujocoError(
			'MJC001',
			'the model has no joint; MuJoCo needs at least one, a free or fixed joint to the world will do',
		);
	}
	checkIndices(model);
	if (model.worldCount > 1) {
		refuseGlobals(model);
		checkSameStructure(model);
	}
	let world = -1;
	for (const own of model.bodyWorld) if (own >= 0 && (world < 0 || own < world)) world = own;
	const inTemplate = (own: number): boolean => own < 0 || own === world;
	return {
		world,
		worldCount: model.worldCount,
		bodies: selectIndices(model.bodyWorld, inTemplate),
		joints: selectIndices(model.jointWorld, inTemplate),
		shapes: selectIndices(model.shapeWorld, inTemplate),
		equalities: selectIndices(model.equalityConstraintWorld, inTemplate),
		mimics: selectIndices(model.constraintMimicWorld, inTemplate),
	};
}

/** Refuses joints and shapes of bodies that do not exist, as arrays edited by hand may have them. */
function checkIndices(model: Model): void {
	const check = (kind: 'joint' | 'shape', indices: Int32Array, least: number, role: string): void => {
		const at = indices.findIndex((body) => body < least || body >= model.bodyCount);
		if (at < 0) return;
		const subject = subjectOf(model, kind, at);
		throw new MujocoError(
			'MJC001',
			`${role} of ${nameOf(subject)} is ${indices[at]}, expected one of the ${model.bodyCount} bodies${least < 0 ? ' or -1' : ''}`,
			subject,
		);
	};
	check('joint', model.jointChild, 0, 'child');
	check('joint', model.jointParent, WORLD, 'parent');
	check('shape', model.shapeBody, WORLD, 'body');
}

function selectIndices(worlds: Int32Array, isWanted: (world: number) => boolean): Int32Array {
	const indices: number[] = [];
	for (let i = 0; i < worlds.length; i++) if (isWanted(worlds[i]!)) indices.push(i);
	return Int32Array.from(indices);
}

function refuseGlobals(model: Model): void {
	refuse('bodies', model.bodyWorld, model.bodyLabels);
	refuse('joints', model.jointWorld, model.jointLabels);
	refuse('equality constraints', model.equalityConstraintWorld, model.equalityConstraintLabels);
	refuse('mimic constraints', model.constraintMimicWorld, model.constraintMimicLabels);
}

function refuse(what: string, worlds: Int32Array, labels: readonly string[]): void {
	const found = selectIndices(worlds, (world) => world < 0);
	if (found.length === 0) return;
	throw new MujocoError(
		'MJC001',
		`${found.length} ${what} belong to no world (${listLabels(found, labels)}); MuJoCo shares only shapes between worlds`,
	);
}

/** The first five labels of a list, for messages. */
export function listLabels(indices: ArrayLike<number>, labels: readonly string[]): string {
	const shown = Array.from(indices)
		.slice(0, 5)
		.map((index) => `'${labels[index] ?? index}'`);
	return indices.length > 5 ? `${shown.join(', ')}, …` : shown.join(', ');
}

interface Compared {
	readonly what: string;
	readonly start: Int32Array;
	/** What must be equal at each position, with how it is shown. */
	readonly kinds: readonly { readonly name: string; readonly of: (index: number) => string | number }[];
}

function checkSameStructure(model: Model): void {
	const body = (name: string, indices: Int32Array) => ({
		name,
		of: inOwnWorld(indices, model.bodyWorldStart, model.bodyWorld),
	});
	const joint = (name: string, indices: Int32Array) => ({
		name,
		of: inOwnWorld(indices, model.jointWorldStart, model.jointWorld),
	});
	const compared: Compared[] = [
		{ what: 'bodies', start: model.bodyWorldStart, kinds: [] },
		{
			what: 'joints',
			start: model.jointWorldStart,
			kinds: [
				{ name: 'type', of: (j) => enumName(JointType, model.jointType[j]!) },
				{
					name: 'axes',
					of: (j) => `${model.jointDofDim[2 * j]} linear and ${model.jointDofDim[2 * j + 1]} angular`,
				},
				body('parent', model.jointParent),
				body('child', model.jointChild),
			],
		},
		{
			what: 'shapes',
			start: model.shapeWorldStart,
			kinds: [{ name: 'type', of: (s) => enumName(GeoType, model.shapeType[s]!) }, body('body', model.shapeBody)],
		},
		{
			what: 'equality constraints',
			start: model.equalityConstraintWorldStart,
			kinds: [
				{ name: 'type', of: (e) => model.equalityConstraintType[e]! },
				body('body 1', model.equalityConstraintBody1),
				body('body 2', model.equalityConstraintBody2),
				joint('joint 1', model.equalityConstraintJoint1),
				joint('joint 2', model.equalityConstraintJoint2),
			],
		},
		{
			what: 'mimic constraints',
			start: model.constraintMimicWorldStart,
			kinds: [joint('joint 0', model.constraintMimicJoint0), joint('joint 1', model.constraintMimicJoint1)],
		},
	];
	for (const { what, start, kinds } of compared) {
		const count = start[1]! - start[0]!;
		for (let world = 1; world < model.worldCount; world++) {
			const others = start[world + 1]! - start[world]!;
			if (others === count) continue;
			throw new MujocoError(
				'MJC002',
				`world 0 has ${count} ${what}, world ${world} has ${others}; all worlds need the same`,
			);
		}
		for (let i = 0; i < count; i++) {
			for (const { name, of } of kinds) {
				const expected = of(start[0]! + i);
				for (let world = 1; world < model.worldCount; world++) {
					const found = of(start[world]! + i);
					if (found === expected) continue;
					throw new MujocoError(
						'MJC002',
						`${what} at position ${i}: ${name} is ${expected} in world 0 and ${found} in world ${world}; all worlds need the same`,
					);
				}
			}
		}
	}
}

/** What an index says in every world alike: its position in the world that it points into, or `none`. */
function inOwnWorld(indices: Int32Array, start: Int32Array, worldOf: Int32Array): (row: number) => string | number {
	return (row) => {
		const index = indices[row]!;
		const world = worldOf[index];
		if (world === undefined) return 'none';
		return world < 0 ? `global ${index}` : index - start[world]!;
	};
}
