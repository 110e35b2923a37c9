import { quote } from '@manyworlds/core';
import { type Layer, type Path, Relationship, SpecType, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Reporter } from '../reporter.ts';
import { controllersOf } from './controllers.ts';
import { primsApplying } from './schema-index.ts';
import type { Statement } from './statement.ts';

/** REP 4.2 and 4.2.1: rules for every extension schema. */
export const SECTION_4_2_1: readonly Statement[] = [
	{ id: 'R4.2.0.1', section: '4.2', level: 'must', check: 'none' },
	{ id: 'R4.2.1.1', section: '4.2.1', level: 'must', check: 'heuristic', visit: checkDuplicates },
	{ id: 'R4.2.1.2', section: '4.2.1', level: 'must', check: 'static', visit: checkPrimTypes },
	{ id: 'R4.2.1.3', section: '4.2.1', level: 'must not', check: 'static', visit: checkTransport },
	{
		id: 'R4.2.1.4',
		section: '4.2.1',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/fix/incubation.test.ts',
	},
];

/** A class of a schema file. */
interface SchemaSpec {
	readonly layer: Layer;
	readonly path: Path;
	readonly properties: readonly string[];
	/** Types that it says it can be applied to. */
	readonly appliesTo: readonly string[];
	readonly isApi: boolean;
}

/** Names that mean the same as attributes of native prims, by the native prim. */
const NATIVE_NAMES: Readonly<Record<string, readonly string[]>> = {
	Camera: ['focallength', 'horizontalaperture', 'verticalaperture', 'clippingrange', 'fstop', 'focusdistance', 'fov'],
	Light: ['intensity', 'exposure', 'colortemperature'],
	Xform: ['translate', 'orient', 'position', 'pose', 'transform'],
	PhysicsMassAPI: ['mass', 'density', 'centerofmass', 'diagonalinertia'],
};
/** Parts of property names that are about communication. */
const TRANSPORT =
	/^(?:topic|topics|topicname|service|servicename|action|actionname|qos|reliability|durability|domainid)$/;
const XFORM_TYPES: ReadonlySet<string> = new Set(['Xform', 'UsdGeomXform', 'Camera', 'UsdGeomCamera']);

function checkDuplicates(context: CheckContext, report: Reporter): void {
	for (const { layer, path, properties } of schemaSpecs(context)) {
		for (const name of properties) {
			const last = plain(name.slice(name.lastIndexOf(':') + 1));
			const native = Object.keys(NATIVE_NAMES).find((type) => NATIVE_NAMES[type]!.includes(last));
			if (native === undefined) continue;
			const message = `the schema ${path.name} declares ${quote(name)}, which ${native} has already: expected the native attribute`;
			report.add(context.atSpec(layer, path.appendProperty(name)), message);
		}
	}
}

/** Schema files say what they apply to; in assets, controllers have no native prim and so belong on an Xform. */
function checkPrimTypes(context: CheckContext, report: Reporter): void {
	for (const { layer, path, appliesTo, isApi } of schemaSpecs(context)) {
		if (!isApi || appliesTo.length === 0 || appliesTo.some((type) => XFORM_TYPES.has(type) || isNative(context, type)))
			continue;
		const message = `the schema ${path.name} applies to ${appliesTo.join(', ')}, expected a native prim with that purpose or Xform`;
		report.add(context.atSpec(layer, path, 'customData'), message);
	}
	for (const { prim, schema } of controllersOf(context)) {
		if (prim.typeName === 'Xform' || context.bodyOf(prim)?.path === prim.path) continue;
		const what = prim.typeName === '' ? 'without a type' : `of type ${prim.typeName}`;
		report.add(context.atSchema(prim, schema), `${schema} is on a prim ${what}, expected an Xform`);
	}
}

function checkTransport(context: CheckContext, report: Reporter): void {
	checkAppliedTransport(context, report);
	for (const { layer, path, properties } of schemaSpecs(context)) {
		for (const name of properties) {
			if (name.startsWith('ros:topic:') || name.startsWith('ros:service:') || name.startsWith('ros:action:')) continue;
			if (layer.data.specType(path.appendProperty(name)) === SpecType.relationship) continue;
			if (!isTransport(name)) continue;
			const message = `the schema ${path.name} declares ${quote(name)}, expected a relationship to a prim with RosTopicAPI, RosServiceAPI or RosActionAPI`;
			report.add(context.atSpec(layer, path.appendProperty(name)), message);
		}
	}
}

/** Transport settings that an applied schema other than those of ROS brings to a prim. */
function checkAppliedTransport(context: CheckContext, report: Reporter): void {
	for (const { prim, schema } of primsApplying(context, EXTENSION)) {
		for (const name of prim.authoredPropertyNames()) {
			if (!name.includes(':') || NEUTRAL_PREFIX.test(name) || !isTransport(name)) continue;
			const property = prim.property(name);
			if (property === undefined || property instanceof Relationship) continue;
			const place = context.at(property);
			if (context.role(place.layer).role === 'proprietary') continue;
			const message = `${quote(name)} of ${schema} is a setting of transport, expected a relationship to a prim with RosTopicAPI, RosServiceAPI or RosActionAPI`;
			report.add(place, message);
		}
	}
}

/** Schemas of extensions: neither those of OpenUSD for geometry, physics and shading nor those of ROS. */
const EXTENSION =
	/^(?!Physics|Material|Geom|Collection|Ros(?:Context|Topic|Service|Action|Frame)API|Shaping|Shadow|Light|Mesh|Skel)[A-Z]/;
/** Names that have rules of their own, and those of shading networks and graphs. */
const NEUTRAL_PREFIX = /^(?:ros2?|inputs|outputs|info|xformOp|primvars|physics|ext_physics|material|collection|ui):/;

function isTransport(name: string): boolean {
	return name.split(':').some((part) => TRANSPORT.test(plain(part)));
}

/** Classes at the root of schema files, without those of the ROS core. */
function* schemaSpecs(context: CheckContext): Generator<SchemaSpec> {
	for (const layer of context.newLayers) {
		for (const path of layer.children('/')) {
			if (!path.isPrim || dataOf(layer.data.field(path, 'specifier'), T.specifier) !== 'class') continue;
			const inherits = dataOf(layer.data.field(path, 'inheritPaths'), T.pathListOp);
			const bases = inherits === undefined ? [] : [...inherits.explicitItems, ...inherits.prependedItems].map(String);
			const isApi = bases.includes('/APISchemaBase');
			if (!isApi && !bases.some((base) => base === '/Typed' || base === '/Xformable' || base === '/Imageable'))
				continue;
			if (/^Ros(?:Context|Topic|Service|Action|Frame)API$/.test(path.name)) continue;
			const data = layer.data.field(path, 'customData')?.data;
			const applied = data instanceof Map ? (data.get('apiSchemaCanOnlyApplyTo')?.data as unknown) : undefined;
			yield {
				layer,
				path,
				isApi,
				properties: dataOf(layer.data.field(path, 'properties'), T.tokenVector) ?? [],
				appliesTo: Array.isArray(applied) ? applied.map(String) : [],
			};
		}
	}
}

/** Whether a type is one of OpenUSD's own that stands for something in the world. */
function isNative(context: CheckContext, type: string): boolean {
	const name = type.replace(/^Usd(?:Geom|Lux|Shade|Vol|Media)?(?=[A-Z])/, '');
	const { schemas } = context.stage;
	return schemas.isConcrete(name) && schemas.isA(name, 'Imageable') && name !== 'Scope';
}

function plain(name: string): string {
	return name.replaceAll('_', '').toLowerCase();
}
