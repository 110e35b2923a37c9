import type { Mesh, Vector } from './mesh-shapes.ts';

/** A solid that stands in for a link: its collider, and the body whose inertia it has. Lengths in metres. */
export type Solid =
	| { readonly kind: 'box'; readonly size: Vector }
	| {
			readonly kind: 'cylinder' | 'capsule';
			readonly axis: 'X' | 'Y' | 'Z';
			readonly radius: number;
			readonly height: number;
	  }
	| { readonly kind: 'sphere'; readonly radius: number };

/** A collision shape of a link. */
export interface Collider {
	readonly name: string;
	readonly solid: Solid;
	readonly at: Vector;
}

/** A mesh of the library shown on a link. */
export interface Visual {
	readonly name: string;
	readonly mesh: string;
	readonly material: string;
	readonly at?: Vector;
}

/** How a link moves on its parent. The joint sits at the origin of the link; angles in degrees, lengths in metres. */
export interface Joint {
	readonly name: string;
	readonly type: 'revolute' | 'prismatic';
	readonly axis: 'X' | 'Y' | 'Z';
	readonly limits: readonly [number, number];
	/** Stiffness and damping in N m/deg and N m s/deg, or N/m and N s/m; force in N m or N. */
	readonly drive?: { readonly stiffness: number; readonly damping: number; readonly maxForce: number };
	/** Joint that this one follows, as a path below the root. */
	readonly mimic?: string;
}

/** A rigid body and what hangs on it. */
export interface Link {
	readonly name: string;
	readonly note: string;
	/** Pose on the parent link; the rotation is real part first. */
	readonly at: Vector;
	readonly rotation?: readonly [number, number, number, number];
	readonly joint?: Joint;
	/** kg */
	readonly mass: number;
	/** The body of even density whose inertia the link has, and where its centre lies. */
	readonly inertia: { readonly solid: Solid; readonly at: Vector };
	/** Physics material of its colliders. */
	readonly surface: string;
	readonly visuals: readonly Visual[];
	readonly colliders: readonly Collider[];
	readonly children?: readonly Link[];
}

/** Contact behaviour of a surface. */
export interface Surface {
	readonly name: string;
	readonly staticFriction: number;
	readonly dynamicFriction: number;
	readonly restitution: number;
}

/** Look of a surface; `texture` replaces the colour. */
export interface Look {
	readonly name: string;
	readonly color: Vector;
	readonly roughness: number;
	readonly metallic: number;
	readonly texture?: string;
}

/** Everything from which the layers of one robot are written. */
export interface RobotDescription {
	readonly name: string;
	readonly root: Link;
	readonly meshes: Readonly<Record<string, Mesh>>;
	readonly looks: readonly Look[];
	readonly surfaces: readonly Surface[];
}

/** Principal moments of inertia of a solid of even density about its centre, in kg m². */
export function momentsOfInertia(solid: Solid, mass: number): Vector {
	if (solid.kind === 'box') {
		const [x, y, z] = solid.size.map((length) => length * length) as [number, number, number];
		return [(mass * (y + z)) / 12, (mass * (x + z)) / 12, (mass * (x + y)) / 12];
	}
	if (solid.kind === 'sphere') {
		const moment = 0.4 * mass * solid.radius ** 2;
		return [moment, moment, moment];
	}
	const { radius: r, height: h } = solid;
	let axial = 0.5 * mass * r * r;
	let across = (mass * (3 * r * r + h * h)) / 12;
	if (solid.kind === 'capsule') {
		// mass shared between the cylinder and the two half spheres by volume
		const middle = (mass * h) / (h + (4 / 3) * r);
		const ends = mass - middle;
		axial = 0.5 * middle * r * r + 0.4 * ends * r * r;
		across = (middle * (3 * r * r + h * h)) / 12 + ends * (0.4 * r * r + (h * h) / 4 + (3 / 8) * h * r);
	}
	if (solid.axis === 'X') return [axial, across, across];
	return solid.axis === 'Y' ? [across, axial, across] : [across, across, axial];
}
