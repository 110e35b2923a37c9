import { quote } from '@manyworlds/core';
import type { Path, Prim, Relationship } from '@manyworlds/usd';
import { readNumber } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';
import { shown } from '../context/shown.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

const material = {
	section: '1.3.4',
	level: 'must',
	check: 'static',
} as const;

/** REP 1.3.3 and 1.3.4: collision filtering and contact materials. */
export const SECTION_1_3_4: readonly Statement[] = [
	{ id: 'R1.3.3.1', section: '1.3.3', level: 'should', check: 'static', visit: checkFiltering },
	{ id: 'R1.3.4.1', ...material, visit: checkMaterials },
	{ id: 'R1.3.4.2', ...material, visit: checkMaterialValues },
	{ id: 'R1.3.4.3', ...material, visit: checkBindings },
	{
		id: 'R1.3.4.4',
		section: '1.3.4',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/import/test/usd/friction.test.ts',
	},
];

const COLLISION = 'PhysicsCollisionAPI';
const MATERIAL = 'PhysicsMaterialAPI';
const PHYSICS_BINDING = 'material:binding:physics';

function checkFiltering(context: CheckContext, report: Reporter): void {
	if (context.lists.articulationRoots.length === 0) return;
	const isFiltered = context.lists.all.some(
		(prim) => prim.typeName === 'PhysicsCollisionGroup' || prim.hasSchema('PhysicsFilteredPairsAPI'),
	);
	if (isFiltered) return;
	const counts = new Map<Path, number>();
	for (const collider of context.lists.colliders) {
		const body = context.bodyOf(collider);
		if (body === undefined) continue;
		const component = context.graph.componentOf(body);
		counts.set(component, (counts.get(component) ?? 0) + 1);
	}
	for (const root of context.lists.articulationRoots) {
		const body = context.bodyOf(root) ?? context.subtree(root).find((prim) => prim.hasSchema('PhysicsRigidBodyAPI'));
		const count = body === undefined ? 0 : (counts.get(context.graph.componentOf(body)) ?? 0);
		if (count <= 2) continue;
		const message = `the articulation has ${count} colliders and the asset neither PhysicsCollisionGroup nor PhysicsFilteredPairsAPI, expected self collision to be filtered`;
		report.add(context.atSchema(root, 'PhysicsArticulationRootAPI'), message);
	}
}

/** How a collider gets its physics material. */
interface PhysicsBinding {
	readonly relationship: Relationship;
	/** The prim that is bound; undefined when it does not exist or is no material. */
	readonly material: Prim | undefined;
	readonly isForPhysics: boolean;
}

function physicsBinding(context: CheckContext, collider: Prim): PhysicsBinding | undefined {
	const bound = context.bindings.boundMaterial(collider, 'physics');
	if (bound !== undefined) {
		const { binding, material: found } = bound;
		return { relationship: binding, material: found, isForPhysics: isPhysicsBinding(binding.name) };
	}
	// what is bound and not there
	for (let at: Prim | undefined = collider; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		const relationship = at.relationship(PHYSICS_BINDING);
		if (relationship.targets().length > 0) return { relationship, material: undefined, isForPhysics: true };
	}
	return undefined;
}

function isPhysicsBinding(name: string): boolean {
	return name === PHYSICS_BINDING || name.startsWith('material:binding:collection:physics:');
}

function checkMaterials(context: CheckContext, report: Reporter): void {
	for (const collider of context.lists.colliders) {
		const binding = physicsBinding(context, collider);
		// a material for shading is none for physics
		const isBound = binding !== undefined && (binding.isForPhysics || binding.material?.hasSchema(MATERIAL) === true);
		if (!isBound) {
			const message = `the collider ${quote(collider.name)} is bound to no physics material, expected ${PHYSICS_BINDING} on it or above it`;
			let place = context.atSchema(collider, COLLISION);
			for (let at: Prim | undefined = collider; at !== undefined && !at.isPseudoRoot; at = at.parent) {
				place = context.atRemoval(at, [PHYSICS_BINDING], place);
			}
			report.add(place, message);
		} else if (binding.material === undefined) {
			const target = binding.relationship.targets()[0]!.toString();
			const message = `the collider ${quote(collider.name)} is bound to <${target}>, which is no material`;
			report.add(context.atField(binding.relationship, 'targetPaths', target), message);
		} else if (!binding.material.hasSchema(MATERIAL)) {
			const message = `the collider ${quote(collider.name)} is bound to <${binding.material.path}>, which has no ${MATERIAL}`;
			report.add(context.atRemoval(binding.material, [MATERIAL], context.at(binding.relationship)), message);
		}
	}
}

function checkMaterialValues(context: CheckContext, report: Reporter): void {
	const used = new Map<Path, Prim>();
	for (const collider of context.lists.colliders) {
		const found = physicsBinding(context, collider)?.material;
		if (found?.hasSchema(MATERIAL) === true) used.set(found.path, found);
	}
	for (const prim of used.values()) {
		const missing = VALUES.filter((name) => !prim.attribute(name).hasAuthoredValue);
		if (missing.length > 0) {
			const message = `the physics material ${quote(prim.name)} authors no ${missing.join(', no ')}, expected all three`;
			report.add(context.atRemoval(prim, missing, context.atSchema(prim, MATERIAL)), message);
		}
		checkRanges(context, report, prim);
	}
}

const VALUES = ['physics:staticFriction', 'physics:dynamicFriction', 'physics:restitution'] as const;

function checkRanges(context: CheckContext, report: Reporter, prim: Prim): void {
	const [still, moving, bounce] = VALUES.map((name) => {
		return prim.attribute(name).hasAuthoredValue ? readNumber(prim, name) : undefined;
	});
	const fault = (name: string, message: string): void => report.add(context.at(prim.attribute(name)), message);
	for (const [name, value] of [[VALUES[0], still] as const, [VALUES[1], moving] as const]) {
		if (value !== undefined && !(value >= 0)) fault(name, `${name} is ${shown(value)}, expected 0 or more`);
	}
	if (bounce !== undefined && !(bounce >= 0 && bounce <= 1)) {
		fault(VALUES[2], `${VALUES[2]} is ${shown(bounce)}, expected a number from 0 to 1`);
	}
	if (still !== undefined && moving !== undefined && moving > still && still >= 0) {
		const message = `${VALUES[1]} is ${shown(moving)}, more than ${VALUES[0]} ${shown(still)}, expected at most that`;
		fault(VALUES[1], message);
	}
}

function checkBindings(context: CheckContext, report: Reporter): void {
	for (const collider of context.lists.colliders) {
		const binding = physicsBinding(context, collider);
		if (binding?.material === undefined) continue;
		const { relationship, isForPhysics } = binding;
		if (!isForPhysics) {
			if (!binding.material.hasSchema(MATERIAL)) continue;
			const message = `the physics material <${binding.material.path}> is bound by ${relationship.name}, expected ${PHYSICS_BINDING}`;
			report.add(context.at(relationship), message);
		} else if (!relationship.prim.hasSchema('MaterialBindingAPI')) {
			const message = `${relationship.name} is authored without MaterialBindingAPI, expected the schema to be applied`;
			const place = context.at(relationship);
			report.add(context.atRemoval(relationship.prim, ['MaterialBindingAPI'], place), message);
		}
	}
}
