import type { MjcfElement } from '@manyworlds/formats';
import { segmentFrame } from '@manyworlds/formats/internal';
import { GeoType } from '@manyworlds/model';
import type { Attributes } from './attributes.ts';
import { composed, framedSegment, type MjcfContext, plainName } from './context.ts';
import type { GeomPlacement } from './geoms.ts';

const TYPES: Readonly<Record<string, GeoType>> = {
	sphere: GeoType.SPHERE,
	box: GeoType.BOX,
	capsule: GeoType.CAPSULE,
	cylinder: GeoType.CYLINDER,
	ellipsoid: GeoType.ELLIPSOID,
};

/** Size of sites [m] where they give none. */
const SIZE = 0.005;

/** Imports the sites of one body or frame. */
export function addSites(context: MjcfContext, sites: readonly MjcfElement[], placement: GeomPlacement): void {
	for (const [i, site] of sites.entries()) {
		const attributes = context.attributes(site, placement.ambient);
		const className = site.get('class');
		if (!context.options.parseSites) {
			attributes.ignoreAll('the option parseSites leaves sites out');
			continue;
		}
		if (className !== undefined && context.matches(context.options.ignoreClasses, className)) {
			attributes.ignoreAll('the option ignoreClasses leaves it out');
			continue;
		}
		const name = attributes.text('name') ?? `${placement.bodyName}_site_${i}`;
		if (context.matches(context.options.ignoreNames, name)) {
			attributes.ignoreAll('the option ignoreNames leaves it out');
			continue;
		}
		addSite(context, attributes, name, placement);
	}
}

function addSite(context: MjcfContext, attributes: Attributes, name: string, placement: GeomPlacement): void {
	const word = attributes.word('type') ?? 'sphere';
	if (TYPES[word] === undefined)
		attributes.fault('MJCF006', 'type', `expected ${Object.keys(TYPES).join(', ')}`, 'warning');
	const size = sizeOf(context, attributes);
	const isSegment = attributes.has('fromto');
	const pose = isSegment ? segment(context, attributes, word, size, placement.frame) : attributes.pose();
	if (pose === undefined) return;
	const isPlaced = isSegment && context.options.newtonCompat;
	attributes.ignore('rgba', 'sites have no colour here');
	attributes.ignore('group', 'sites have no group');
	const shape = context.builder.addSite(placement.body, {
		xform: placement.frame === undefined || isPlaced ? pose : composed(placement.frame, pose),
		type: TYPES[word] ?? GeoType.SPHERE,
		scale: size,
		label: placement.labelPrefix === '' ? name : `${placement.labelPrefix}/${name}`,
		visible: false,
		...(word === 'cylinder' ? { attributes: { 'mujoco:site_size_is_display': true } } : {}),
	});
	context.siteShapes.push({ element: attributes.element, body: placement.body, shapes: [shape] });
	const key = plainName(name);
	if (!context.sites.has(key) || context.options.newtonCompat) context.sites.set(key, shape);
}

/** Missing numbers keep the default. */
function sizeOf(context: MjcfContext, attributes: Attributes): Float64Array {
	const size = Float64Array.of(SIZE, SIZE, SIZE);
	size.set(attributes.numbers('size', { least: 1, most: 3 }) ?? []);
	return size.map((value) => Math.abs(value) * context.options.scale);
}

/** The pose of a site between two points; its size gets the length. */
function segment(
	context: MjcfContext,
	attributes: Attributes,
	type: string,
	size: Float64Array,
	around: Float64Array | undefined,
): Float64Array | undefined {
	if (attributes.has('pos')) {
		attributes.fault('MJCF014', 'pos', 'and fromto is given as well, expected one of them');
		return undefined;
	}
	if (type === 'sphere' || TYPES[type] === undefined) {
		attributes.fault('MJCF014', 'fromto', `a site of type ${type} has no length`);
		return undefined;
	}
	const numbers = attributes.numbers('fromto', { least: 6, most: 6 });
	if (numbers === undefined) return undefined;
	const points = numbers.map((value) => value * context.options.scale);
	// Newton moves the points into the body before it takes the direction
	const isMoved = context.options.newtonCompat && around !== undefined;
	const frame = segmentFrame(isMoved ? framedSegment(points, around) : points);
	if (frame === undefined) {
		attributes.fault('MJCF015', 'fromto', 'expected two different points');
		return undefined;
	}
	attributes.convert('fromto', { from: 'end points', to: 'pose and half length' });
	if (type === 'capsule' || type === 'cylinder') size[1] = frame.halfLength;
	else size.set([size[0]!, size[0]!, frame.halfLength]);
	return Float64Array.of(...frame.position, ...frame.rotation);
}
