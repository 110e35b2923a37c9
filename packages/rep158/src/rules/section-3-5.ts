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
	const groups = new Map<string, Prim[]>();
	const hashes = new Map<string, string>();
	for (const mesh of context.lists.meshes) {
		if (mesh.isInstanceProxy || mesh.isInstance || isPrototype(mesh)) continue;
		const key = contentKey(mesh, hashes);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [mesh]);
		else group.push(mesh);
	}
	for (const group of groups.values()) {
		if (group.length < context.thresholds.repeatedMeshes) continue;
		const [first, second] = group;
		const message = `${group.length} meshes are equal (${first!.path}, ${second!.path}, …) and each is stored as its own, expected instances of one`;
		report.add(context.at(first!), message, {
			related: group.slice(1, 6).map((mesh) => ({ place: context.at(mesh), message: 'an equal mesh' })),
		});
	}
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

/** Instances with joints or articulations are clones of machines, which R1.2.6.1 finds. */
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
