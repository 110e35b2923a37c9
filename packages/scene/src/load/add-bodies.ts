import type { ShapeOptions } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';
import type { ScenePath } from '../scene-document.ts';
import type { SceneBody } from '../schema/scene.ts';
import type { SceneGeometry, SceneMaterial, SceneShape } from '../schema/shape.ts';
import type { LoadContext } from './load-context.ts';
import { loadSceneMesh } from './load-mesh.ts';
import { withShapeConfig } from './shape-defaults.ts';

/** Adds the inline bodies with their shapes. */
export function addBodies(context: LoadContext, bodies: readonly SceneBody[]): void {
	const { builder, bodyIds, bodyArmature } = context;
	bodies.forEach((body, i) => {
		const path: ScenePath = ['bodies', i];
		if (bodyIds.has(body.id)) {
			context.add('SCN023', [...path, 'id'], `is '${body.id}', which another body has too`);
			return;
		}
		const index = context.try(path, () =>
			builder.addLink({
				label: body.label ?? body.id,
				...(body.transform === undefined ? {} : { xform: body.transform }),
				mass: body.mass ?? 0,
				inertia: [bodyArmature, 0, 0, 0, bodyArmature, 0, 0, 0, bodyArmature],
			}),
		);
		bodyIds.set(body.id, index);
		if (index === undefined) return;
		body.shapes.forEach((shape, k) => {
			addInlineShape(context, index, shape, [...path, 'shapes', k], body.material);
		});
	});
}

/** Adds an inline shape to a body, -1 for the world. Settings: defaults, then the body's, then the shape's, then its `cfg`. */
export function addInlineShape(
	context: LoadContext,
	body: number,
	shape: SceneShape,
	path: ScenePath,
	bodyMaterial: SceneMaterial = {},
): number | undefined {
	const { geometry, cfg = {} } = shape;
	const solid = geometry.type === 'mesh' && !geometry.is_solid ? { is_solid: false } : {};
	const layers = [bodyMaterial, shape.material, solid, cfg];
	const { config, tau } = layers.reduce(withShapeConfig, context.shapeDefaults);
	const options = {
		config,
		...(shape.transform === undefined ? {} : { xform: shape.transform }),
		...(shape.label === undefined ? {} : { label: shape.label }),
		...(shape.color === undefined ? {} : { color: shape.color }),
		attributes: { [SAP_TAU_ATTRIBUTE]: tau },
	};
	return context.try(path, () => addGeometry(context, body, geometry, options, path));
}

function addGeometry(
	context: LoadContext,
	body: number,
	geometry: SceneGeometry,
	options: ShapeOptions,
	path: ScenePath,
): number | undefined {
	const { builder } = context;
	switch (geometry.type) {
		case 'box':
			return builder.addShapeBox(body, { ...options, halfExtents: [geometry.hx, geometry.hy, geometry.hz] });
		case 'sphere':
			return builder.addShapeSphere(body, { ...options, radius: geometry.radius });
		case 'ellipsoid':
			return builder.addShapeEllipsoid(body, { ...options, radii: [geometry.a, geometry.b, geometry.c] });
		case 'capsule':
			return builder.addShapeCapsule(body, { ...options, radius: geometry.radius, halfHeight: geometry.half_height });
		case 'cylinder':
			return builder.addShapeCylinder(body, { ...options, radius: geometry.radius, halfHeight: geometry.half_height });
		case 'cone':
			return builder.addShapeCone(body, { ...options, radius: geometry.radius, halfHeight: geometry.half_height });
		case 'mesh': {
			const mesh = loadSceneMesh(context, geometry, path);
			return mesh === undefined ? undefined : builder.addShapeMesh(body, { ...options, mesh });
		}
	}
}
