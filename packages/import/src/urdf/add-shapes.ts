import { quote } from '@manyworlds/core';
import { quatBetween, quatMultiply, type XmlElement } from '@manyworlds/core/internal';
import type { UrdfGeometry, UrdfGeometryGroup } from '@manyworlds/formats';
import type { ModelBuilder, ShapeConfig, ShapeOptions, UpAxis } from '@manyworlds/model';
import type { Provenance } from '../ledger.ts';
import { addMeshShape } from '../mesh/mesh-colliders.ts';
import type { UrdfContext } from './urdf-context.ts';
import type { SurfaceLook, UrdfMaterials } from './urdf-materials.ts';
import { transformOf } from './urdf-pose.ts';

/** What the shapes of a list have in common. */
export interface ShapeSettings {
	readonly body: number;
	readonly linkName: string;
	readonly config: Partial<ShapeConfig>;
	readonly isVisual: boolean;
}

/** Adds the shapes of the `visual` or `collision` elements of a link. */
export function addShapes(
	context: UrdfContext,
	materials: UrdfMaterials,
	groups: readonly UrdfGeometryGroup[],
	settings: ShapeSettings,
): void {
	for (const group of groups) {
		const xform = transformOf(group.origin, context.options.scale);
		const look = materials.resolve(group.material);
		const attributes = context.attributes(group.geometryElement, 'shape');
		const isNamed = group.name !== undefined && !context.options.newtonCompat;
		if (isNamed) context.ledger.use(group.element, 'name');
		else context.ledger.ignore(group.element, 'name', 'Newton numbers shapes');
		const options: ShapeOptions = {
			xform,
			config: settings.config,
			attributes,
			...(isNamed ? { label: context.label(`${settings.linkName}/${group.name}`) } : {}),
			...(settings.isVisual && look.opacity !== undefined ? { opacity: look.opacity } : {}),
		};
		for (const geometry of group.geometries)
			addGeometry(context, geometry, { group, look, options, body: settings.body, isVisual: settings.isVisual });
	}
}

interface Placement {
	readonly group: UrdfGeometryGroup;
	readonly look: SurfaceLook;
	readonly options: ShapeOptions;
	readonly body: number;
	readonly isVisual: boolean;
}

function addGeometry(context: UrdfContext, geometry: UrdfGeometry, placement: Placement): void {
	const { builder } = context;
	const { scale } = context.options;
	const { body, look } = placement;
	const options = { ...placement.options, ...(look.color === undefined ? {} : { color: look.color }) };
	switch (geometry.type) {
		case 'box': {
			const halfExtents = geometry.size.map((size) => size * 0.5 * scale);
			tell(context, placement, geometry, ['size'], builder.addShapeBox(body, { ...options, halfExtents }));
			return;
		}
		case 'sphere':
			tell(
				context,
				placement,
				geometry,
				['radius'],
				builder.addShapeSphere(body, { ...options, radius: geometry.radius * scale }),
			);
			return;
		case 'cylinder':
		case 'capsule': {
			const xform = turned(placement.options.xform as Float64Array, context);
			// Newton knows capsules by their height alone
			const isUnread =
				geometry.type === 'capsule' && context.options.newtonCompat && !geometry.element.attribute('height');
			const length = isUnread ? 1 : geometry.length;
			const size = { radius: geometry.radius * scale, halfHeight: length * 0.5 * scale };
			const add = geometry.type === 'cylinder' ? 'addShapeCylinder' : 'addShapeCapsule';
			tell(
				context,
				placement,
				geometry,
				['radius', 'length', 'height'],
				builder[add](body, { ...options, xform, ...size }),
			);
			return;
		}
		default:
			addMesh(context, geometry, placement);
	}
}

function addMesh(context: UrdfContext, geometry: UrdfGeometry & { type: 'mesh' }, placement: Placement): void {
	const { builder, ledger, meshes, options } = context;
	const { body, look } = placement;
	const scale = geometry.scale.map((factor, i) => factor * options.scale * options.meshScale[i]!) as [
		number,
		number,
		number,
	];
	const place = () => geometry.element.attribute('filename')?.location ?? geometry.element.location;
	const settings = {
		scale,
		maxHullVertices: options.meshMaxhullvert,
		newtonCompat: options.newtonCompat,
		isWhole: !placement.isVisual && !options.newtonCompat,
		...(look.color === undefined ? {} : { color: look.color }),
		...(look.texture === undefined ? {} : { texture: look.texture }),
	};
	let found = meshes.load(geometry.filename, settings, place);
	if (look.texture !== undefined && found.some((mesh) => mesh.uvs === undefined)) {
		const message = `${quote(geometry.filename)} has no texture coordinates; the texture is left out`;
		context.add('URDF009', message, geometry.element);
		found = found.map((mesh) => {
			const { texture: _, ...rest } = mesh;
			return mesh.uvs === undefined ? rest : mesh;
		});
	}
	if (found.length === 0) {
		for (const name of ['filename', 'scale']) ledger.ignore(geometry.element, name, 'the file cannot be used');
		return;
	}
	// factors of the scale are in the vertices
	for (const mesh of found) {
		tell(
			context,
			placement,
			geometry,
			['filename', 'scale'],
			addMeshShape(builder, body, { ...placement.options, mesh }, options),
		);
	}
}

/** Tells the ledger what a shape is made of. */
function tell(
	context: UrdfContext,
	placement: Placement,
	geometry: UrdfGeometry,
	names: readonly string[],
	shape: number,
): void {
	const { ledger } = context;
	const { group, look } = placement;
	const row = (array: string) => ({ array, entity: 'shape' as const, index: shape });
	const sizes = {
		why: `<${geometry.type}> of ${ledger.pathOf(group.element)} gives the size`,
		absent: unauthored('1 m'),
	};
	for (const name of names) {
		if (geometry.element.attribute(name) === undefined && names[0] !== name) continue;
		const isHalf = geometry.type !== 'mesh' && name !== 'radius';
		ledger.give(row('shape_scale'), geometry.element, name, {
			...sizes,
			...(isHalf ? { conversion: { from: 'full size', to: 'half size' } } : {}),
		});
	}
	tellPose(context, 'shape_transform', 'shape', shape, group.origin.element);
	if (look.color === undefined) {
		ledger.computed(row('shape_color'), {
			source: 'builder default',
			why: 'no material gives a colour: the mesh or a palette does',
		});
	} else {
		ledger.give(row('shape_color'), look.source?.colorElement, 'rgba', {
			why: `material of ${ledger.pathOf(group.element)}`,
			absent: unauthored('a colour of the palette'),
		});
	}
}

/** Tells the ledger which `origin` gave a frame. */
export function tellPose(
	context: UrdfContext,
	array: string,
	entity: 'body' | 'joint' | 'shape',
	index: number,
	origin: XmlElement | undefined,
): void {
	const { ledger, options } = context;
	const row = { array, entity, index };
	const absent = unauthored('the identity');
	ledger.give(row, origin, 'xyz', {
		why: '<origin> gives the position',
		absent,
		...(options.scale === 1 ? {} : { conversion: { from: 'm', to: `${options.scale} m` } }),
	});
	if (origin?.attribute('rpy') === undefined) return;
	const conversion = { from: 'roll, pitch, yaw', to: 'quaternion' };
	ledger.give(row, origin, 'rpy', { why: '<origin> gives the rotation', absent, conversion });
}

/** The source of a value that the file leaves to the importer. */
export function unauthored(what: string): Provenance {
	return { source: 'importer default', why: `the file gives none: ${what}` };
}

/** A frame whose z axis is the axis of a round shape. In URDF that is z; Newton takes the up axis of the import. */
function turned(xform: Float64Array, { options }: UrdfContext): Float64Array {
	if (!options.newtonCompat || options.upAxis === 'z') return xform;
	const out = xform.slice();
	quatMultiply(out, xform, axisRotation('z', options.upAxis), 3, 3, 0);
	return out;
}

/** The shortest rotation from one coordinate axis to another. */
export function axisRotation(from: UpAxis, to: UpAxis): Float64Array {
	const unit = (axis: UpAxis): Float64Array => Float64Array.of(+(axis === 'x'), +(axis === 'y'), +(axis === 'z'));
	return quatBetween(new Float64Array(4), unit(from), unit(to));
}

/** The first shape that an import added, and the one behind its last. */
export interface ShapeRange {
	readonly start: number;
	readonly end: number;
}

/** No two shapes of a range collide. */
export function filterSelfCollisions(builder: ModelBuilder, { start, end }: ShapeRange, collides: number): void {
	const flags = builder.column('shapeFlags');
	const shapes: number[] = [];
	for (let shape = start; shape < end; shape++) if ((flags[shape]! & collides) !== 0) shapes.push(shape);
	for (let i = 0; i < shapes.length; i++) {
		for (let k = i + 1; k < shapes.length; k++) builder.addCollisionFilterPair(shapes[i]!, shapes[k]!);
	}
}
