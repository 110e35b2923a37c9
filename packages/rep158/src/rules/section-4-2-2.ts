import { quote } from '@manyworlds/core';
import type { Path, Prim, SchemaRegistry } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import { numbersOf } from '../geometry/mesh-arrays.ts';
import type { Reporter } from '../reporter.ts';
import { primsWith } from './schema-index.ts';
import type { Statement } from './statement.ts';
import { isSixNumberInertia, neutralEquivalent } from './vendor-opinions.ts';

/** REP 4.2.2: physics schemas that are not in OpenUSD yet. */
export const SECTION_4_2_2: readonly Statement[] = [
	{
		id: 'R4.2.2.1',
		section: '4.2.2',
		level: 'must',
		check: 'static',
		visit: checkNames,
	},
	{
		id: 'R4.2.2.2',
		section: '4.2.2',
		level: 'must not',
		check: 'static',
		visit: checkPrefix,
	},
	{
		id: 'R4.2.2.3',
		section: '4.2.2',
		level: 'must',
		check: 'static',
		visit: checkStaging,
	},
	{ id: 'R4.2.2.4', section: '4.2.2', level: 'must', check: 'static', visit: checkMimics },
	{ id: 'R4.2.2.5', section: '4.2.2', level: 'must', check: 'static', visit: checkActuators },
	{ id: 'R4.2.2.6', section: '4.2.2', level: 'must', check: 'static', visit: checkTables },
];

function checkNames(context: CheckContext, report: Reporter): void {
	for (const layer of context.newLayers) {
		const { schemas } = context.census(layer);
		for (const { path, item } of schemas.entries) {
			const name = item?.split(':')[0] ?? '';
			if (!/^ext(?:ended)?_?phys/i.test(name) || name.startsWith('ExtendedPhysics')) continue;
			const message = `the schema ${quote(name)} is not named like an incubating one, expected ExtendedPhysics…API`;
			report.add(context.atSpec(layer, path, 'apiSchemas', item), message);
		}
		// misspelt prefixes belong to no kind of content that was counted
		for (const path of layer.data.paths()) {
			if (!path.isProperty) continue;
			const { name } = path;
			if (!/^ext(?:ended)?_?phys\w*:/i.test(name)) continue;
			if (/^ext_physics:[A-Za-z]\w*:[A-Za-z]\w*(?::\w+)*$/.test(name)) continue;
			report.add(
				context.atSpec(layer, path),
				`${quote(name)} is not named like an incubating property, expected ext_physics:concept:name`,
			);
		}
	}
}

function checkPrefix(context: CheckContext, report: Reporter): void {
	const known = coreProperties(context.stage.schemas);
	for (const layer of context.newLayers) {
		for (const { path, item } of context.census(layer).schemas.entries) {
			const name = item?.split(':')[0] ?? '';
			if (!/^Physics[A-Z]/.test(name) || context.stage.schemas.find(name) !== undefined) continue;
			if (context.vendors.ofSchema(name) !== undefined) continue;
			report.add(
				context.atSpec(layer, path, 'apiSchemas', item),
				`UsdPhysics has no schema ${quote(name)}, expected ExtendedPhysics… for what is not in OpenUSD`,
			);
		}
		for (const path of propertySpecs(context, layer)) {
			const { name } = path;
			if (!name.startsWith('physics:') || known.has(name)) continue;
			// six numbers of inertia have a rule of their own
			if (isSixNumberInertia(name) && numbersOf(layer.data.field(path, 'default'))?.length === 6) continue;
			report.add(
				context.atSpec(layer, path),
				`UsdPhysics has no property ${quote(name)}, expected ext_physics:concept:name or a vendor prefix`,
			);
		}
	}
}

/** Names of all properties of UsdPhysics that start with its prefix. */
function coreProperties(schemas: SchemaRegistry): Set<string> {
	const names = new Set<string>();
	for (const { identifier } of schemas.classes()) {
		if (!identifier.startsWith('Physics')) continue;
		for (const name of schemas.definitionOf(identifier)?.propertyNames ?? []) names.add(name);
	}
	return names;
}

/** Specs of properties with the prefix of physics or its extension. */
function* propertySpecs(context: CheckContext, layer: CheckContext['rootLayer']): Generator<Path> {
	for (const { path, field } of context.census(layer).physics.entries) {
		if (field === undefined && path.isProperty) yield path;
	}
}

/** In neutral layers R1.3.18 finds them; a proprietary layer is no excuse for what has a neutral schema (C8). */
function checkStaging(context: CheckContext, report: Reporter): void {
	for (const layer of context.newLayers) {
		if (context.role(layer).role !== 'proprietary') continue;
		const seen = new Set<Path>();
		for (const { path, field, item, name } of context.census(layer).vendors) {
			const neutral = neutralEquivalent(name);
			if (neutral === undefined || seen.has(path.primPath)) continue;
			seen.add(path.primPath);
			report.add(
				context.atSpec(layer, path, field, item),
				`${quote(name)} is a staging schema of a vendor, expected ${neutral}`,
			);
		}
	}
}

const MIMIC = 'ExtendedPhysicsMimicAPI';
const LEADER = 'ext_physics:mimic:joint';

function checkMimics(context: CheckContext, report: Reporter): void {
	const leaders = new Map<Path, Path>();
	for (const prim of primsWith(context, MIMIC)) {
		const relationship = prim.relationship(LEADER);
		const place = relationship.isAuthored ? context.at(relationship) : context.atSchema(prim, MIMIC);
		if (!isAxisJoint(prim)) {
			report.add(
				context.atSchema(prim, MIMIC),
				`${MIMIC} is on ${prim.path}, which is ${typeOf(prim)}: expected a revolute or prismatic joint`,
			);
			continue;
		}
		const targets = relationship.targets();
		if (targets.length !== 1) {
			report.add(place, `${LEADER} of ${prim.path} has ${targets.length} targets, expected one joint to follow`);
			continue;
		}
		const leader = context.stage.prim(targets[0]!);
		if (leader === undefined) {
			report.add(place, `${LEADER} of ${prim.path} leads to ${targets[0]}, which does not exist`);
		} else if (!isAxisJoint(leader)) {
			report.add(
				place,
				`${LEADER} of ${prim.path} leads to ${leader.path}, which is ${typeOf(leader)}: expected a revolute or prismatic joint`,
			);
		} else if (leader.typeName !== prim.typeName) {
			report.add(
				place,
				`${prim.path} is ${typeOf(prim)} and follows ${leader.path}, which is ${typeOf(leader)}: expected the same type`,
			);
		} else {
			leaders.set(prim.path, leader.path);
		}
	}
	for (const cycle of cycles(leaders)) {
		const prim = context.stage.prim(cycle[0]!)!;
		const message = `mimic joints follow each other in a circle: ${[...cycle, cycle[0]].join(' -> ')}`;
		report.add(context.at(prim.relationship(LEADER)), message);
	}
}

/** Circles in a map of followers to leaders, each once, from its first path on. */
function cycles(leaders: ReadonlyMap<Path, Path>): Path[][] {
	const done = new Set<Path>();
	const found: Path[][] = [];
	for (const start of leaders.keys()) {
		const chain: Path[] = [];
		const place = new Map<Path, number>();
		let at: Path | undefined = start;
		while (at !== undefined && !done.has(at) && !place.has(at)) {
			place.set(at, chain.length);
			chain.push(at);
			at = leaders.get(at);
		}
		if (at !== undefined && place.has(at)) found.push(chain.slice(place.get(at)));
		for (const path of chain) done.add(path);
	}
	return found;
}

function checkActuators(context: CheckContext, report: Reporter): void {
	const name = 'ext_physics:actuator:targets';
	for (const prim of primsWith(context, 'ExtendedPhysicsActuatorAPI')) {
		const relationship = prim.relationship(name);
		const place = relationship.isAuthored
			? context.at(relationship)
			: context.atSchema(prim, 'ExtendedPhysicsActuatorAPI');
		const [target, ...others] = relationship.targets();
		if (target === undefined) {
			report.add(place, `the actuator ${prim.path} has no target, expected a revolute or prismatic joint`);
			continue;
		}
		const joint = context.stage.prim(target);
		if (joint === undefined) report.add(place, `the actuator ${prim.path} targets ${target}, which does not exist`);
		else if (!isAxisJoint(joint)) {
			report.add(
				place,
				`the actuator ${prim.path} targets ${target}, which is ${typeOf(joint)}: expected a revolute or prismatic joint`,
			);
		} else if (others.length > 0) {
			report.add(place, `the actuator ${prim.path} has ${others.length + 1} targets, of which the first counts`, {
				severity: 'warning',
			});
		}
	}
}

function checkTables(context: CheckContext, report: Reporter): void {
	const positionsName = 'ext_physics:clamp_position:lookupPositions';
	const effortsName = 'ext_physics:clamp_position:lookupEfforts';
	for (const prim of primsWith(context, 'ExtendedPhysicsPositionBasedClampingAPI')) {
		const positions = numbersOf(prim.attribute(positionsName).get()) ?? [];
		const efforts = numbersOf(prim.attribute(effortsName).get()) ?? [];
		const place = prim.attribute(positionsName).isAuthored
			? context.at(prim.attribute(positionsName))
			: context.atSchema(prim, 'ExtendedPhysicsPositionBasedClampingAPI');
		if (positions.length === 0 && efforts.length === 0) {
			report.add(place, `the clamping table of ${prim.path} is empty, expected positions and efforts`);
		} else if (positions.length !== efforts.length) {
			report.add(
				place,
				`the clamping table of ${prim.path} has ${positions.length} positions and ${efforts.length} efforts, expected as many`,
			);
		} else {
			const at = Array.from(positions).findIndex((value, i) => i > 0 && !(value > positions[i - 1]!));
			if (at < 0) continue;
			report.add(
				place,
				`position ${at} of the clamping table of ${prim.path} is ${positions[at]} after ${positions[at - 1]}, expected increasing positions`,
			);
		}
	}
}

function isAxisJoint(prim: Prim): boolean {
	return prim.isA('PhysicsRevoluteJoint') || prim.isA('PhysicsPrismaticJoint');
}

function typeOf(prim: Prim): string {
	return prim.typeName === '' ? 'a prim without type' : `a ${prim.typeName}`;
}
