import { type Path, T } from '@manyworlds/usd';
import type { ConversionGeometry } from '../model/conversion-model.ts';
import type { LayerBuilder } from './layer-builder.ts';

/** Shapes that UsdGeom has. */
export type PlainGeometry = Exclude<ConversionGeometry, { kind: 'mesh' }>;

/** Defines a shape with its size and place; round ones are about z. A box and an ellipsoid are stretched, which leaves may be. */
export function definePlainShape(builder: LayerBuilder, path: Path, geometry: PlainGeometry, pose: Float64Array): void {
	switch (geometry.kind) {
		case 'box':
			builder.define(path, 'Cube');
			extent(builder, path, 0.5, 0.5, 0.5);
			builder.attribute(path, 'size', T.double, 1);
			builder.place(path, pose, geometry.size);
			return;
		case 'sphere':
			builder.define(path, 'Sphere');
			extent(builder, path, geometry.radius, geometry.radius, geometry.radius);
			builder.attribute(path, 'radius', T.double, geometry.radius);
			builder.place(path, pose);
			return;
		case 'ellipsoid':
			builder.define(path, 'Sphere');
			extent(builder, path, 1, 1, 1);
			builder.attribute(path, 'radius', T.double, 1);
			builder.place(path, pose, geometry.radii);
			return;
		case 'plane': {
			const [width, length] = geometry.size ?? [0, 0];
			builder.define(path, 'Plane');
			builder.uniform(path, 'axis', T.token, 'Z');
			extent(builder, path, width / 2, length / 2, 0);
			builder.attribute(path, 'length', T.double, length);
			builder.attribute(path, 'width', T.double, width);
			builder.place(path, pose);
			return;
		}
		default: {
			const { kind, radius, length } = geometry;
			builder.define(path, { cylinder: 'Cylinder', capsule: 'Capsule', cone: 'Cone' }[kind]);
			builder.uniform(path, 'axis', T.token, 'Z');
			extent(builder, path, radius, radius, length / 2 + (kind === 'capsule' ? radius : 0));
			builder.attribute(path, 'height', T.double, length);
			builder.attribute(path, 'radius', T.double, radius);
			builder.place(path, pose);
		}
	}
}

function extent(builder: LayerBuilder, path: Path, x: number, y: number, z: number): void {
	builder.attribute(path, 'extent', T.float3.array, Float32Array.of(-x, -y, -z, x, y, z));
}
