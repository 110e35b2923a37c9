import { type Report, UsageRangeError } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { gaussLegendre } from './gauss-legendre.ts';
import { inertiaAbout, type MassProperties, zeroMass } from './mass-properties.ts';

/** A shape with closed-form mass properties. Capsules, cylinders and cones stand along Z, centred at half their height. @public */
export type PrimitiveShape =
	| { readonly type: 'sphere'; readonly radius: number }
	| { readonly type: 'box'; readonly halfExtents: readonly [number, number, number] }
	/** `halfHeight` is that of the cylindrical part. */
	| { readonly type: 'capsule'; readonly radius: number; readonly halfHeight: number }
	/** `barrelRadius` is the radius of the arc of a bulging side, 0 for a straight one; `radius` is that of the ends. */
	| { readonly type: 'cylinder'; readonly radius: number; readonly halfHeight: number; readonly barrelRadius?: number }
	/** Base at `-halfHeight`, apex at `halfHeight`. */
	| { readonly type: 'cone'; readonly radius: number; readonly halfHeight: number }
	| { readonly type: 'ellipsoid'; readonly radii: readonly [number, number, number] }
	/** Shapes without mass. */
	| { readonly type: 'plane' | 'heightfield' | 'gaussian' | 'site' };

/** Options of {@link primitiveMass}. @public */
export interface PrimitiveMassOptions {
	/** kg/m³. */
	readonly density?: number;
	/** Thickness of the wall of a hollow shape; solid when absent. */
	readonly thickness?: number;
	/** Receives the warning about a wall of thickness 0. */
	readonly report?: Report;
}

/** Values of {@link PrimitiveMassOptions} that are used when absent. @public */
export const PRIMITIVE_MASS_DEFAULTS: { readonly density: number } = { density: 1 };

/**
 * Mass, centre of mass and inertia of a primitive shape, solid or hollow.
 *
 * ```ts
 * primitiveMass({ type: 'sphere', radius: 0.5 }, { density: 1000 }).mass // 523.598…
 * ```
 *
 * A hollow shape is the shape less the same shape with every size reduced by the thickness, both at their own centres.
 * Throws {@link UsageRangeError} for sizes that are negative or not finite and for a wall as thick as a size.
 * @public
 */
export function primitiveMass(shape: PrimitiveShape, options: PrimitiveMassOptions = {}): MassProperties {
	const density = options.density ?? PRIMITIVE_MASS_DEFAULTS.density;
	if (!(density >= 0 && density < Number.POSITIVE_INFINITY)) {
		throw new UsageRangeError(`density is ${density}, expected a finite number, 0 or more`);
	}
	for (const [name, size] of sizesOf(shape)) {
		if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
			throw new UsageRangeError(`${name} of the ${shape.type} is ${size}, expected a finite number, 0 or more`);
		}
	}
	const outer = solidMass(shape, density);
	const { thickness, report } = options;
	if (thickness === undefined || outer.mass === 0) return outer;
	checkThickness(shape, thickness);
	if (thickness === 0) {
		report?.add(createDiagnostic('MESH023', `a hollow ${shape.type} has a wall of thickness 0, so its mass is 0`));
		return { ...zeroMass(), com: outer.com };
	}
	return subtractMass(outer, solidMass(shrink(shape, thickness), density));
}

function solidMass(shape: PrimitiveShape, density: number): MassProperties {
	switch (shape.type) {
		case 'sphere': {
			const r2 = shape.radius * shape.radius;
			const mass = density * (4 / 3) * Math.PI * r2 * shape.radius;
			return principal(mass, 0.4 * mass * r2, 0.4 * mass * r2, 0.4 * mass * r2);
		}
		case 'box': {
			const [x, y, z] = shape.halfExtents;
			const mass = density * 8 * x * y * z;
			const third = mass / 3;
			return principal(mass, third * (y * y + z * z), third * (x * x + z * z), third * (x * x + y * y));
		}
		case 'capsule': {
			const { radius } = shape;
			const r2 = radius * radius;
			const height = 2 * shape.halfHeight;
			const ends = density * (4 / 3) * Math.PI * r2 * radius;
			const middle = density * Math.PI * r2 * height;
			const across =
				middle * (r2 / 4 + (height * height) / 12) +
				ends * (0.4 * r2 + 0.375 * radius * height + 0.25 * height * height);
			return principal(ends + middle, across, across, (middle / 2 + 0.4 * ends) * r2);
		}
		case 'cylinder':
			return cylinderMass(density, shape.radius, shape.halfHeight, shape.barrelRadius ?? 0);
		case 'cone': {
			const r2 = shape.radius * shape.radius;
			const height = 2 * shape.halfHeight;
			const mass = (density * Math.PI * r2 * height) / 3;
			const across = 0.15 * mass * r2 + 0.0375 * mass * height * height;
			const cone = principal(mass, across, across, 0.3 * mass * r2);
			return { ...cone, com: Float64Array.of(0, 0, -height / 4) };
		}
		case 'ellipsoid': {
			const [a, b, c] = shape.radii;
			const mass = density * (4 / 3) * Math.PI * a * b * c;
			const fifth = mass / 5;
			return principal(mass, fifth * (b * b + c * c), fifth * (a * a + c * c), fifth * (a * a + b * b));
		}
		default:
			return zeroMass();
	}
}

const BARREL_NODES = 32;

function cylinderMass(density: number, radius: number, halfHeight: number, barrelRadius: number): MassProperties {
	if (barrelRadius === 0) {
		const height = 2 * halfHeight;
		const mass = density * Math.PI * radius * radius * height;
		const across = (mass / 12) * (3 * radius * radius + height * height);
		return principal(mass, across, across, (mass * radius * radius) / 2);
	}
	if (barrelRadius < halfHeight) {
		throw new UsageRangeError(`barrelRadius is ${barrelRadius}, expected 0 or at least halfHeight, ${halfHeight}`);
	}
	const { nodes, weights } = gaussLegendre(BARREL_NODES);
	const endOffset = Math.sqrt(barrelRadius * barrelRadius - halfHeight * halfHeight);
	let area = 0;
	let axial = 0;
	let across = 0;
	for (let i = 0; i < BARREL_NODES; i++) {
		const z = halfHeight * nodes[i]!;
		const offset = Math.sqrt(Math.max(barrelRadius * barrelRadius - z * z, 0));
		// the difference of the two offsets without cancellation
		const r = radius + (halfHeight * halfHeight - z * z) / (offset + endOffset);
		const r2 = r * r;
		const weight = halfHeight * weights[i]!;
		area += weight * r2;
		axial += weight * r2 * r2;
		across += weight * (0.25 * r2 * r2 + r2 * z * z);
	}
	const scale = density * Math.PI;
	return principal(scale * area, scale * across, scale * across, (scale / 2) * axial);
}

/** What is left of a body when another is taken out of it. */
function subtractMass(outer: MassProperties, inner: MassProperties): MassProperties {
	const mass = outer.mass - inner.mass;
	const com = outer.com.map((value, k) => (outer.mass * value - inner.mass * inner.com[k]!) / mass);
	const a = inertiaAbout(outer, com);
	const b = inertiaAbout(inner, com);
	return { mass, com, inertia: a.map((value, i) => value - b[i]!) };
}

function principal(mass: number, x: number, y: number, z: number): MassProperties {
	return { mass, com: new Float64Array(3), inertia: Float64Array.of(x, 0, 0, 0, y, 0, 0, 0, z) };
}

function sizesOf(shape: PrimitiveShape): readonly (readonly [string, number])[] {
	switch (shape.type) {
		case 'sphere':
			return [['radius', shape.radius]];
		case 'box':
			return shape.halfExtents.map((size, i) => [`half extent ${'xyz'[i]}`, size] as const);
		case 'ellipsoid':
			return shape.radii.map((size, i) => [`radius ${'xyz'[i]}`, size] as const);
		case 'cylinder':
			return [
				['radius', shape.radius],
				['halfHeight', shape.halfHeight],
				...(shape.barrelRadius ? [['barrelRadius', shape.barrelRadius] as const] : []),
			];
		case 'capsule':
		case 'cone':
			return [
				['radius', shape.radius],
				['halfHeight', shape.halfHeight],
			];
		default:
			return [];
	}
}

function checkThickness(shape: PrimitiveShape, thickness: number): void {
	if (!(thickness >= 0 && thickness < Number.POSITIVE_INFINITY)) {
		throw new UsageRangeError(`thickness is ${thickness}, expected a finite number, 0 or more`);
	}
	if (thickness === 0) return;
	for (const [name, size] of sizesOf(shape)) {
		if (thickness >= size) {
			throw new UsageRangeError(`thickness is ${thickness}, expected less than ${name} of the ${shape.type}, ${size}`);
		}
	}
}

function shrink(shape: PrimitiveShape, t: number): PrimitiveShape {
	switch (shape.type) {
		case 'sphere':
			return { ...shape, radius: shape.radius - t };
		case 'box': {
			const [x, y, z] = shape.halfExtents;
			return { ...shape, halfExtents: [x - t, y - t, z - t] };
		}
		case 'ellipsoid': {
			const [a, b, c] = shape.radii;
			return { ...shape, radii: [a - t, b - t, c - t] };
		}
		case 'cylinder': {
			const barrel = shape.barrelRadius ? { barrelRadius: shape.barrelRadius - t } : {};
			return { ...shape, radius: shape.radius - t, halfHeight: shape.halfHeight - t, ...barrel };
		}
		case 'capsule':
		case 'cone':
			return { ...shape, radius: shape.radius - t, halfHeight: shape.halfHeight - t };
		default:
			return shape;
	}
}
