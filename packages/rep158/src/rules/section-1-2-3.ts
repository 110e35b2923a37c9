import { quote } from '@manyworlds/core';
import { type Layer, type Node, type Path, type Prim, T } from '@manyworlds/usd';
import { ArcType, dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { applied } from '../context/find-place.ts';
import { type ArrayEntry, isPhysicsSchema, isRosSchema, type LayerCensus } from '../context/layer-census.ts';
import type { Place } from '../context/place.ts';
import type { Reporter } from '../reporter.ts';
import { withoutPayloads } from './payload-hiding.ts';
import type { Statement } from './statement.ts';

const common = { section: '1.2.3', check: 'static' } as const;

/** REP 1.2.3: composition arcs. */
export const SECTION_1_2_3: readonly Statement[] = [
	{ id: 'R1.2.3.1', ...common, level: 'may', check: 'none' },
	{ id: 'R1.2.3.2', ...common, level: 'should not', visit: checkClassArcs },
	{
		id: 'R1.2.3.3',
		...common,
		level: 'may',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/public-checker.test.ts',
	},
	{ id: 'R1.2.3.4', ...common, level: 'may', check: 'none' },
	{ id: 'R1.2.3.5', ...common, level: 'must', visit: checkHeavyData },
	{ id: 'R1.2.3.6', ...common, level: 'must not', visit: checkKinematics },
	{ id: 'R1.2.3.7', ...common, level: 'should', visit: checkPayloadContent },
];

function checkClassArcs(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		if (!isSimulated(prim)) continue;
		for (const { layer, path, node } of prim.specs()) {
			for (const field of ['inheritPaths', 'specializes'] as const) {
				const op = dataOf(layer.data.field(path, field), T.pathListOp);
				for (const item of op === undefined ? [] : applied(op)) {
					const target = item.makeAbsolute(path.stripVariants());
					if (node.layerStack.hasSpecs(target)) continue;
					const arc = field === 'specializes' ? 'specializes' : 'inherits';
					const message = `the prim ${arc} <${target}>, which no layer of the asset has, expected a class within the asset`;
					report.add({ layer, path, field, item: item.toString(), shown: prim.path, node }, message);
				}
			}
		}
	}
}

/** Whether a prim has physics or ROS schemas. */
function isSimulated(prim: Prim): boolean {
	return (
		prim.appliedSchemas.some((name) => isPhysicsSchema(name) || isRosSchema(name)) ||
		prim.typeName.startsWith('Physics')
	);
}

function checkHeavyData(context: CheckContext, report: Reporter): void {
	const { heavyBytes } = context.thresholds;
	const arrays = new Map(context.layers.map((layer) => [layer, context.fact(layer, arraysByPrim)]));
	for (const prim of context.lists.all) {
		for (const { layer, path, node } of prim.specs()) {
			const found = arrays.get(layer)?.get(path);
			if (found === undefined || hasPayload(node)) continue;
			const bytes = found.reduce((sum, at) => sum + at.bytes, 0);
			if (bytes < heavyBytes) continue;
			const largest = found.reduce((best, at) => (best.bytes >= at.bytes ? best : at));
			const message = `the prim has ${bytes} bytes of arrays and comes without a payload, expected one from ${heavyBytes} on`;
			report.add(context.inText({ layer, path: largest.path, shown: prim.path, node }), message);
		}
	}
}

function arraysByPrim(_: Layer, { arrays }: LayerCensus): Map<Path, ArrayEntry[]> {
	const prims = new Map<Path, ArrayEntry[]>();
	for (const entry of arrays) {
		const prim = entry.path.primPath;
		const found = prims.get(prim);
		if (found === undefined) prims.set(prim, [entry]);
		else found.push(entry);
	}
	return prims;
}

function hasPayload(start: Node): boolean {
	for (let node: Node | null = start; node !== null; node = node.parent) {
		if (node.arcType === ArcType.payload) return true;
	}
	return false;
}

/** REP 1.2.3: the kinematic topology is there without payloads; ROS schemas have rules of their own (REP 2.1.1, 2.2). */
function checkKinematics(context: CheckContext, report: Reporter): void {
	const { bodies, joints, articulationRoots } = context.lists;
	if (!context.lists.all.some((prim) => prim.hasPayload)) return;
	const hidden = new Map<Path, HiddenPart[]>();
	const check = (prim: Prim, schema: string | undefined, what: string): void => {
		const found = withoutPayloads(context, prim);
		const isThere =
			found?.isDefined === true && (schema === undefined ? found.isA('PhysicsJoint') : found.hasSchema(schema));
		if (isThere) return;
		const place = schema === undefined ? context.at(prim) : context.atSchema(prim, schema);
		const payload = payloadAbove(prim);
		const key = (payload ?? prim).path;
		hidden.set(key, [...(hidden.get(key) ?? []), { what, place, payload }]);
	};
	for (const prim of bodies) check(prim, 'PhysicsRigidBodyAPI', `the rigid body ${quote(prim.name)}`);
	for (const prim of joints) check(prim, undefined, `the joint ${quote(prim.name)}`);
	for (const prim of articulationRoots) {
		if (prim.isA('PhysicsJoint') || prim.hasSchema('PhysicsRigidBodyAPI')) continue;
		check(prim, 'PhysicsArticulationRootAPI', `the articulation root ${quote(prim.name)}`);
	}
	for (const parts of hidden.values()) {
		const [{ what, place, payload }, ...others] = parts as [HiddenPart, ...HiddenPart[]];
		const more = others.length === 0 ? '' : ` with ${others.length} more bodies, joints or articulation roots`;
		const them = others.length === 0 ? 'it' : 'them';
		report.add(place, `${what} comes through a payload${more}, expected ${them} to be there without loading any`, {
			related: [
				...(payload === undefined ? [] : [{ place: context.atField(payload, 'payload'), message: 'the payload' }]),
				...others.slice(0, 5).map((other) => ({ place: other.place, message: other.what })),
			],
			data: { count: parts.length },
		});
	}
}

/** Something that is not there until a payload is loaded. */
interface HiddenPart {
	readonly what: string;
	readonly place: Place;
	readonly payload: Prim | undefined;
}

function payloadAbove(prim: Prim): Prim | undefined {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) if (at.hasPayload) return at;
	return undefined;
}

function checkPayloadContent(context: CheckContext, report: Reporter): void {
	if (!context.lists.all.some((prim) => prim.hasPayload)) return;
	for (const prim of context.lists.all) {
		const what = foreignContent(context, prim);
		// a schema that a layer outside of the payload applies makes a light of it out there
		const api = what === 'light' ? prim.appliedSchemas.find((name) => LIGHT_APIS.has(name)) : undefined;
		const node = api === undefined ? undefined : context.atSchema(prim, api).node;
		if (node !== undefined && !hasPayload(node)) continue;
		if (what === undefined || withoutPayloads(context, prim)?.isDefined === true) continue;
		const message = `the ${what} ${quote(prim.name)} comes through a payload, expected geometry and materials only`;
		report.add(context.at(prim), message);
	}
}

const LIGHT_APIS: ReadonlySet<string> = new Set(['MeshLightAPI', 'VolumeLightAPI']);

/** What a prim is besides geometry, materials, links, joints and interfaces. */
function foreignContent({ vendors }: CheckContext, prim: Prim): string | undefined {
	const { typeName } = prim;
	if (typeName === 'Camera') return 'camera';
	if (typeName === '' || typeName === 'Xform' || typeName === 'Scope') return undefined;
	if (prim.hasSchema('LightAPI')) return 'light';
	if (prim.isA('PhysicsJoint')) return undefined;
	if (typeName.startsWith('Physics')) return typeName;
	return vendors.ofSchema(typeName) === undefined ? undefined : typeName;
}
