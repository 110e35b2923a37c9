import { dataOf, type Prim, T } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import { numbersOf } from '../geometry/mesh-arrays.ts';
import type { Reporter } from '../reporter.ts';
import type { Rule } from '../rule.ts';

/** REP 3.5: repeated geometry is instanced, and nothing else is. */
export const SECTION_3_5: readonly Rule[] = [
	{
		id: 'R3.5.1',
		section: '3.5',
		level: 'must',
		check: 'static',
		fix: { family: 'F38', safety: 'unsafe' },
		visit: checkRepetition,
	},
	{
		id: 'R3.5.2',
		section: '3.5',
		level: 'must',
		check: 'static',
		fix: { family: 'F26', safety: 'unsafe' },
		visit: checkLeaves,
	},
	{
		id: 'R3.5.3',
		section: '3.5',
		level: 'must',
		check: 'static',
		fix: { family: 'F38', safety: 'unsafe' },
		visit: checkArcs,
	},
	{ id: 'R3.5.4', section: '3.5', level: 'tool', check: 'behaviour' },
	{ id: 'R3.5.5', section: '3.5', level: 'tool', check: 'behaviour' },
];

function checkRepetition(context: CheckContext, report: Reporter): void {
	const least = context.thresholds.repeatedMeshes;
	const meshes = context.lists.meshes.filter(
		(mesh) =>
			!mesh.isInstanceProxy && !mesh.isInstance && !isPrototype(mesh) && mesh.attribute('points').hasAuthoredValue,
	);
	const hashes = new Map<string, string>();
	// meshes of different extents are different: only the others are read
	for (const candidates of grouped(meshes, extentKey)) {
		if (candidates.length < least) continue;
		for (const group of grouped(candidates, (mesh) => contentKey(mesh, hashes))) {
			if (group.length >= least) reportGroup(context, report, group);
		}
	}
}

function reportGroup(context: CheckContext, report: Reporter, group: readonly Prim[]): void {
	const [first, second] = group as readonly [Prim, Prim];
	const message = `${group.length} meshes are equal (${first.path}, ${second.path}, …) and none is an instance, expected instances of one`;
	report.add(context.at(first), message, {
		related: group.slice(1, 6).map((mesh) => ({ place: context.at(mesh), message: 'an equal mesh' })),
	});
}

/** Things with the same key together, in their order; those without a key are left out. */
function grouped(prims: readonly Prim[], keyOf: (prim: Prim) => string | undefined): Prim[][] {
	const groups = new Map<string, Prim[]>();
	for (const prim of prims) {
		const key = keyOf(prim);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [prim]);
		else group.push(prim);
	}
	return [...groups.values()];
}

function extentKey(mesh: Prim): string {
	const extent = numbersOf(mesh.attribute('extent').get());
	return extent === undefined ? '' : Array.from(extent).join(' ');
}

/** Whether a mesh is what a point instancer repeats. */
function isPrototype(prim: Prim): boolean {
	for (let at = prim.parent; at !== undefined; at = at.parent) if (at.typeName === 'PointInstancer') return true;
	return false;
}

/** A text that is equal for meshes with the same points and faces; undefined for empty ones. */
function contentKey(mesh: Prim, hashes: Map<string, string>): string | undefined {
	const points = mesh.attribute('points');
	const site = points.resolveInfo('default').site;
	if (site === undefined) return undefined;
	const indices = mesh.attribute('faceVertexIndices').resolveInfo('default').site;
	const place = `${site.layer.identifier} ${site.path} ${indices?.layer.identifier} ${indices?.path}`;
	let key = hashes.get(place);
	if (key === undefined) {
		const numbers = numbersOf(points.get());
		const corners = dataOf(mesh.attribute('faceVertexIndices').get(), T.int.array);
		const counts = dataOf(mesh.attribute('faceVertexCounts').get(), T.int.array);
		if (numbers === undefined || numbers.length === 0 || corners === undefined || counts === undefined)
			return undefined;
		key = `${numbers.length} ${corners.length} ${hash(numbers)} ${hash(corners)} ${hash(counts)}`;
		hashes.set(place, key);
	}
	return key;
}

/** FNV-1a over the bits of numbers as floats. */
function hash(values: ArrayLike<number>): number {
	const word = new Float32Array(1);
	const bits = new Uint32Array(word.buffer);
	let result = 0x811c9dc5;
	for (let i = 0; i < values.length; i++) {
		// both zeros are one number
		word[0] = values[i]! + 0;
		result = Math.imul(result ^ bits[0]!, 0x01000193);
	}
	return result >>> 0;
}

/** Instances with bodies, joints or articulations are found by R1.2.6.1. */
function checkLeaves(context: CheckContext, report: Reporter): void {
	const inside = new Map<string, { prim: Prim; what: string }>();
	const machines = new Set<string>();
	for (const prim of context.lists.all) {
		const instance = instanceAbove(prim);
		if (instance === undefined) continue;
		const key = instance.path.toString();
		// instanced physics is found by R1.2.6.1
		if (isPhysical(prim)) machines.add(key);
		const what = logicalContent(prim, instance);
		if (what !== undefined && !inside.has(key)) inside.set(key, { prim, what });
	}
	for (const [path, { prim, what }] of inside) {
		const instance = context.stage.prim(path)!;
		if (machines.has(path)) continue;
		const message = `the instance ${path} holds ${what} (${prim.path}), expected geometry only`;
		report.add(context.atField(instance, 'instanceable'), message);
	}
}

/** The outermost instance that a prim is or lies below. */
function instanceAbove(prim: Prim): Prim | undefined {
	if (!prim.isInstance && !prim.isInstanceProxy) return undefined;
	let found: Prim | undefined;
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) if (at.isInstance) found = at;
	return found;
}

function isPhysical(prim: Prim): boolean {
	const schemas = ['PhysicsRigidBodyAPI', 'PhysicsArticulationRootAPI'];
	return prim.isA('PhysicsJoint') || schemas.some((schema) => prim.hasSchema(schema));
}

function logicalContent(prim: Prim, instance: Prim): string | undefined {
	const ros = prim.appliedSchemas.find((schema) => schema.startsWith('Ros'));
	if (ros === undefined) return undefined;
	// a namespace on the instance itself is found by R2.1.1.13
	return ros === 'RosContextAPI' && prim.path === instance.path ? undefined : ros;
}

function checkArcs(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!prim.isInstanceable || prim.isInstance || prim.isInstanceProxy) continue;
		const message = `${prim.path} is instanceable and no reference or payload brings its content, so nothing is shared: expected an arc`;
		report.add(context.atField(prim, 'instanceable'), message);
	}
}
