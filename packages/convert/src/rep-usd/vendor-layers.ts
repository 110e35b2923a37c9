import { Path, T } from '@manyworlds/usd';
import type { JointFreedom } from '../model/conversion-model.ts';
import type { PlacedFreedom } from './joint-prims.ts';
import { LayerBuilder } from './layer-builder.ts';

/** Makers of engines whose values can be kept in a layer of their own (REP 1.4). @public */
export type Vendor = 'newton' | 'mujoco';

/** All vendors. */
export const VENDORS: readonly Vendor[] = ['newton', 'mujoco'];

const DEGREES = 180 / Math.PI;

/** Values of joints that no neutral schema has: motor inertia, damping, dry friction, speed limits. */
export function vendorLayer(vendor: Vendor, root: string, freedoms: readonly PlacedFreedom[]): LayerBuilder {
	const builder = new LayerBuilder(
		`./${vendor}.usda`,
		root,
		`Values for ${vendor === 'newton' ? 'Newton' : 'MuJoCo'}.`,
	);
	builder.over(Path.root.appendChild(root));
	for (const { joint, dof, freedom } of freedoms) {
		// joints with several freedoms have no place for one of them
		if (dof !== 'angular' && dof !== 'linear') continue;
		const values = VALUES[vendor](freedom);
		if (values.length === 0) continue;
		builder.apply(joint, [vendor === 'newton' ? 'NewtonJointAPI' : 'MjcJointAPI']);
		for (const [name, value] of values) {
			if (vendor === 'newton') builder.attribute(joint, name, T.float, Math.fround(value));
			else builder.uniform(joint, name, T.double, value);
		}
	}
	return builder;
}

/** What a freedom has that only vendors can hold. */
export function vendorValues({ armature, damping, friction, velocity }: JointFreedom): readonly string[] {
	const named = { armature, damping, friction, 'velocity limit': velocity };
	return Object.entries(named).flatMap(([name, value]) => (value === undefined || value === 0 ? [] : [name]));
}

const VALUES: Readonly<Record<Vendor, (freedom: JointFreedom) => [string, number][]>> = {
	newton: ({ motion, armature, damping, friction, velocity }) => {
		const isTurn = motion === 'turn';
		return given([
			['newton:armature', armature],
			['newton:damping', damping === undefined ? undefined : damping / (isTurn ? DEGREES : 1)],
			['newton:friction', friction],
			['newton:velocityLimit', velocity === undefined ? undefined : velocity * (isTurn ? DEGREES : 1)],
		]);
	},
	mujoco: ({ armature, damping, friction }) =>
		given([
			['mjc:armature', armature],
			['mjc:damping', damping],
			['mjc:frictionloss', friction],
		]),
};

function given(values: readonly (readonly [string, number | undefined])[]): [string, number][] {
	return values.flatMap(([name, value]) => (value === undefined || value === 0 ? [] : [[name, value]]));
}
