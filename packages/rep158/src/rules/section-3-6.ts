import { quote } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import { inputValue, shaderId, valueProducers } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import type { Place } from '../context/place.ts';
import type { Reporter } from '../reporter.ts';
import { networkOf } from '../shading/visual-materials.ts';
import type { Statement } from './statement.ts';

/** REP 3.6: lights. */
export const SECTION_3_6: readonly Statement[] = [
	{ id: 'R3.6.1', section: '3.6', level: 'must', check: 'static', visit: checkTypes },
	{ id: 'R3.6.2', section: '3.6', level: 'should', check: 'static', visit: checkPunctual },
	{ id: 'R3.6.3', section: '3.6', level: 'tool', check: 'behaviour', heldBy: 'packages/convert/test/gltf.test.ts' },
	{ id: 'R3.6.4', section: '3.6', level: 'should', check: 'static', visit: checkArea },
	{ id: 'R3.6.5', section: '3.6', level: 'must', check: 'heuristic', visit: checkIndicators },
	{ id: 'R3.6.6', section: '3.6', level: 'must not', check: 'heuristic', visit: checkIllumination },
	{ id: 'R3.6.7', section: '3.6', level: 'must', check: 'heuristic', visit: checkLamps },
];

/** Types of UsdLux. */
const CORE_LIGHTS: ReadonlySet<string> = new Set([
	'DistantLight',
	'SphereLight',
	'DomeLight',
	'DomeLight_1',
	'RectLight',
	'DiskLight',
	'CylinderLight',
	'GeometryLight',
	'PortalLight',
	'PluginLight',
]);
const PUNCTUAL: ReadonlySet<string> = new Set(['DistantLight', 'SphereLight']);
/** Environments are allowed beside punctual lights. */
const ENVIRONMENTS: ReadonlySet<string> = new Set(['DomeLight', 'DomeLight_1']);
const AREA: ReadonlySet<string> = new Set(['RectLight', 'DiskLight', 'CylinderLight', 'GeometryLight', 'PortalLight']);
/** Words in the names of parts that show a state. */
const INDICATOR_WORDS: ReadonlySet<string> = new Set(['led', 'leds', 'indicator', 'indicators', 'beacon', 'beacons']);

/** Whether a name says that a part shows a state: `status_led`, `LedRing2`, not `sealed`. */
function isIndicator(name: string): boolean {
	const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
	const isStatusLight = words.some((word, i) => word === 'status' && /^lights?$/.test(words[i + 1] ?? ''));
	return isStatusLight || words.some((word) => INDICATOR_WORDS.has(word));
}

function checkTypes(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.all) {
		const { typeName } = prim;
		if (typeName === '' || CORE_LIGHTS.has(typeName)) continue;
		const isOther =
			/Light(?:_\d+)?$/.test(typeName) || prim.isA('BoundableLightBase') || prim.isA('NonboundableLightBase');
		if (!isOther) continue;
		report.add(context.at(prim), `${prim.path} is a ${typeName}, expected a light of UsdLux such as SphereLight`);
	}
}

function checkPunctual(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.lights) {
		const { typeName } = prim;
		if (PUNCTUAL.has(typeName) || ENVIRONMENTS.has(typeName) || isArea(prim)) continue;
		if (!CORE_LIGHTS.has(typeName) && !prim.hasSchema('VolumeLightAPI')) continue;
		const what = CORE_LIGHTS.has(typeName) ? `a ${typeName}` : 'a volume that emits light';
		report.add(
			context.at(prim),
			`${prim.path} is ${what}, expected a DistantLight or SphereLight, which can be exported`,
		);
	}
}

function checkArea(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.lights) {
		if (!isArea(prim)) continue;
		const isMesh = prim.hasSchema('MeshLightAPI');
		const place = isMesh ? context.atSchema(prim, 'MeshLightAPI') : context.at(prim);
		const what = isMesh ? 'a mesh that emits light' : `a ${prim.typeName}`;
		report.add(place, `${prim.path} is ${what}, which is an area light: expected a DistantLight or SphereLight`);
	}
}

function isArea(prim: Prim): boolean {
	return AREA.has(prim.typeName) || prim.hasSchema('MeshLightAPI');
}

function checkIndicators(context: CheckContext, report: Reporter): void {
	for (const prim of context.lists.gprims) {
		if (!isIndicator(prim.name) || prim.hasSchema('PhysicsCollisionAPI')) continue;
		const network = networkOf(context, prim);
		const surface = network?.surface;
		if (surface === undefined || shaderId(surface) !== 'UsdPreviewSurface' || emission(surface) > 0) continue;
		const message = `${prim.path} looks like an indicator by its name, and its material ${network!.material.path} has no emissiveColor`;
		report.add(context.inText(context.at(prim)), message, { key: prim.path.toString() });
	}
}

/** Geometry that shines brightly, and the brightness of its material. */
function brightParts(context: CheckContext): { prim: Prim; brightness: number }[] {
	const found: { prim: Prim; brightness: number }[] = [];
	for (const prim of context.lists.gprims) {
		const surface = networkOf(context, prim)?.surface;
		if (surface === undefined || shaderId(surface) !== 'UsdPreviewSurface') continue;
		const brightness = emission(surface);
		if (brightness >= context.thresholds.emission) found.push({ prim, brightness });
	}
	return found;
}

/** An environment without any light, lit by surfaces. */
function checkIllumination(context: CheckContext, report: Reporter): void {
	if (context.lists.lights.length > 0 || context.stage.defaultPrim?.kind === 'component') return;
	for (const { prim, brightness } of brightParts(context)) {
		const message = `${prim.path} emits ${brightness} and the scene has no light: emissive surfaces illuminate nothing in real-time engines, expected UsdLux lights`;
		report.add(brightPlace(context, prim), message, { key: prim.path.toString() });
	}
}

/** A part that shines as brightly as a lamp without a light beside it. */
function checkLamps(context: CheckContext, report: Reporter): void {
	const { lights, gprims } = context.lists;
	if (gprims.length === 0) return;
	// scenes without any light are found by R3.6.6
	if (lights.length === 0 && context.stage.defaultPrim?.kind !== 'component') return;
	for (const { prim, brightness } of brightParts(context)) {
		const parent = nearestXform(prim);
		const isLit = lights.some((light) => PUNCTUAL.has(light.typeName) && nearestXform(light)?.path === parent?.path);
		if (isLit) continue;
		const message = `${prim.path} emits ${brightness}, and no SphereLight or DistantLight is below ${quote(parent?.name ?? '/')} beside it: expected one`;
		report.add(brightPlace(context, prim), message, { key: prim.path.toString() });
	}
}

/** Where a bright part is written; the material that makes it bright when the part is in a binary layer. */
function brightPlace(context: CheckContext, prim: Prim): Place {
	const place = context.at(prim);
	if (!context.census(place.layer).isCrate) return place;
	const network = networkOf(context, prim);
	const surface = network?.surface;
	const input = surface?.attribute('inputs:emissiveColor');
	const material = surface && context.at(input?.isAuthored === true ? input : surface);
	return material === undefined || context.census(material.layer).isCrate ? context.inText(place) : material;
}

function nearestXform(prim: Prim): Prim | undefined {
	for (let at = prim.parent; at !== undefined; at = at.parent) if (at.typeName === 'Xform') return at;
	return undefined;
}

/** Largest component of the emissive colour; 1 when a texture gives it. */
function emission(surface: Prim): number {
	const input = surface.attribute('inputs:emissiveColor');
	if (valueProducers(input, { shaderOutputsOnly: true }).length > 0) return 1;
	const value = inputValue(surface, 'emissiveColor')?.data;
	return ArrayBuffer.isView(value) ? Math.max(...Array.from(value as Float32Array)) : 0;
}
