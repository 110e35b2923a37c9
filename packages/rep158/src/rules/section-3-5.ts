import { type Node, type Path, type Prim, T } from '@manyworlds/usd';
import { ArcType, dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Place } from '../context/place.ts';
import { numbersOf } from '../geometry/mesh-arrays.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

/** REP 3.5: repeated geometry is instanced, and nothing else is. */
export const SECTION_3_5: readonly Statement[] = [
	{
		id: 'R3.5.1',
		section: '3.5',
		level: 'must',
		check: 'static',
		visit: checkRepetition,
	},
	{
		id: 'R3.5.2',
		section: '3.5',
		level: 'must',
		check: 'static',
		visit: checkLeaves,
	},
	{
		id: 'R3.5.3',
		section: '3.5',
		level: 'must',
		check: 'static',
		visit: checkArcs,
	},
	{ id: 'R3.5.4', section: '3.5', level: 'tool', check: 'behaviour', heldBy: 'packages/convert/test/gltf.test.ts' },
	{ id: 'R3.5.5', section: '3.5', level: 'tool', check: 'behaviour', heldBy: 'packages/convert/test/gltf.test.ts' },
];

function checkRepetition(context: CheckContext, report: Reporter): void {
	const copies = new Map<string, Prim[][]>();
	for (const group of equalMeshes(context.lists.meshes, context.thresholds.repeatedMeshes)) {
		const holders = copiesOfAsset(group) ?? group;
		const key = holders.map(({ path }) => path.toString()).join();
		copies.set(key, [...(copies.get(key) ?? []), group]);
	}
	for (const groups of copies.values()) {
		if (groups.length === 1) {
			const [first, second, ...others] = groups[0]!;
			const message = `${groups[0]!.length} meshes are equal (${first!.path}, ${second!.path}, …) and none is an instance, expected instances of one`;
			report.add(context.inText(context.at(first!)), message, {
				key: first!.path.toString(),
				related: [second!, ...others.slice(0, 4)].map((mesh) => ({
					place: context.inText(context.at(mesh)),
					message: 'an equal mesh',
				})),
			});
			continue;
		}
		const holders = copiesOfAsset(groups[0]!)!;
		const [first, ...others] = holders as [Prim, ...Prim[]];
		const message = `${holders.length} prims (${first.path}, ${others[0]!.path}, …) reference one asset and repeat its ${groups.length} meshes without an instance, expected geometry that is instanced there`;
		const placeOf = (prim: Prim): Place => context.atField(prim, arcField(prim));
		report.add(placeOf(first), message, {
			key: first.path.toString(),
			related: others.slice(0, 5).map((other) => ({ place: placeOf(other), message: 'the same asset again' })),
			data: { count: groups.length },
		});
	}
}

/** The prims that bring equal meshes by references to one prim of another file, one of them each; undefined when that is not how they come. */
function copiesOfAsset(group: readonly Prim[]): Prim[] | undefined {
	const sources = new Set<string>();
	const holders = new Map<Path, Prim>();
	for (const mesh of group) {
		const arc = outermostArc(mesh);
		if (arc === undefined || arc.depthBelowIntroduction === 0) return undefined;
		let holder: Prim | undefined = mesh;
		for (let i = arc.depthBelowIntroduction; i > 0; i--) holder = holder?.parent;
		if (holder === undefined) return undefined;
		sources.add(`${arc.layerStack.layers[0]?.identifier} ${arc.pathAtIntroduction}`);
		holders.set(holder.path, holder);
	}
	return sources.size === 1 && holders.size === group.length ? [...holders.values()] : undefined;
}

/** The outermost reference or payload below the default prim that brings a mesh. */
function outermostArc(mesh: Prim): Node | undefined {
	const root = mesh.stage.defaultPrim?.path.depth ?? 0;
	let found: Node | undefined;
	for (const { node } of mesh.specs()) {
		for (let at: Node | null = node; at !== null; at = at.parent) {
			const isArc = at.arcType === ArcType.reference || at.arcType === ArcType.payload;
			const depth = mesh.path.depth - at.depthBelowIntroduction;
			if (isArc && depth > root && (found === undefined || at.depthBelowIntroduction > found.depthBelowIntroduction))
				found = at;
		}
	}
	return found;
}

function arcField(prim: Prim): string {
	return prim.specs().some(({ layer, path }) => layer.data.field(path, 'references') !== undefined)
		? 'references'
		: 'payload';
}

/** Meshes of one content that are no instances, in groups of at least `least`. */
export function equalMeshes(all: readonly Prim[], least: number): Prim[][] {
	const meshes = all.filter((mesh) => !(mesh.isInstanceProxy || mesh.isInstance || isPrototype(mesh)));
	// meshes of different extents differ, and few have equal points: only the faces of those are looked at
	const candidates = groupBy(meshes, extentKey).filter(({ length }) => length >= least);
	const pointKey = keyOf('points', 'faceVertexIndices', pointsKey);
	return candidates
		.flatMap((group) => groupBy(group, pointKey))
		.filter(({ length }) => length >= least)
		.flatMap((alike) => groupBy(alike, keyOf('faceVertexIndices', 'faceVertexCounts', facesKey)))
		.filter(({ length }) => length >= least);
}

/** Prims with the same key, in the order of the first; those without a key are left out. */
function groupBy(prims: readonly Prim[], key: (prim: Prim) => string | undefined): Prim[][] {
	const groups = new Map<string, Prim[]>();
	for (const prim of prims) {
		const text = key(prim);
		if (text === undefined) continue;
		const group = groups.get(text);
		if (group === undefined) groups.set(text, [prim]);
		else group.push(prim);
	}
	return [...groups.values()];
}

/** The key of a mesh, worked out once for each place that two of its attributes come from. */
function keyOf(
	first: string,
	second: string,
	make: (mesh: Prim) => string | undefined,
): (mesh: Prim) => string | undefined {
	const known = new Map<string, string | undefined>();
	return (mesh) => {
		const [a, b] = [first, second].map((name) => mesh.attribute(name).resolveInfo('default').site);
		if (a === undefined) return undefined;
		const place = `${a.layer.identifier} ${a.path} ${b?.layer.identifier} ${b?.path}`;
		if (!known.has(place)) known.set(place, make(mesh));
		return known.get(place);
	};
}

/** The authored extent; '' without one. */
function extentKey(mesh: Prim): string {
	const extent = numbersOf(mesh.attribute('extent').get());
	return extent === undefined ? '' : Array.from(extent).join(' ');
}

function pointsKey(mesh: Prim): string | undefined {
	const numbers = numbersOf(mesh.attribute('points').get());
	return numbers === undefined || numbers.length === 0 ? undefined : `${numbers.length} ${hash(numbers)}`;
}

function facesKey(mesh: Prim): string | undefined {
	const corners = dataOf(mesh.attribute('faceVertexIndices').get(), T.int.array);
	const counts = dataOf(mesh.attribute('faceVertexCounts').get(), T.int.array);
	if (corners === undefined || counts === undefined) return undefined;
	return `${corners.length} ${hash(corners)} ${hash(counts)}`;
}

/** Whether a mesh is what a point instancer repeats. */
function isPrototype(prim: Prim): boolean {
	for (let at = prim.parent; at !== undefined; at = at.parent) if (at.typeName === 'PointInstancer') return true;
	return false;
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
