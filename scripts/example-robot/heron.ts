import { chamferedBox, lathe, type Mesh, merge, plate, type Vector, wheel } from './mesh-shapes.ts';
import type { Link, RobotDescription } from './robot-description.ts';

const WHEEL_RADIUS = 0.09;
const ARM_RADIUS = 0.032;

const meshes: Readonly<Record<string, Mesh>> = {
	chassis: chamferedBox([0.46, 0.28, 0.12], 0.02),
	deck: plate(0.16, 0.22, 0.055),
	tyre: wheel('Y', WHEEL_RADIUS, 0.04, 0.008, 32),
	hub: wheel('Y', 0.05, 0.046, 0.004, 24),
	caster_fork: merge(
		[wheel('Z', 0.02, 0.012, 0.002, 16), [0, 0, -0.006]],
		[chamferedBox([0.03, 0.006, 0.05], 0.002), [-0.015, 0.016, -0.034]],
		[chamferedBox([0.03, 0.006, 0.05], 0.002), [-0.015, -0.016, -0.034]],
	),
	caster_wheel: wheel('Y', 0.03, 0.02, 0.004, 20),
	turret: lathe('Z', 28, [
		[0, 0.075],
		[0.012, 0.075],
		[0.02, 0.066],
		[0.055, 0.06],
		[0.06, 0.054],
	]),
	yoke: merge(
		[chamferedBox([0.07, 0.014, 0.09], 0.004), [0, 0.046, 0.09]],
		[chamferedBox([0.07, 0.014, 0.09], 0.004), [0, -0.046, 0.09]],
	),
	motor: wheel('Y', 0.038, 0.074, 0.005, 24),
	upper_arm: chamferedBox([0.052, 0.05, 0.28], 0.012),
	forearm: chamferedBox([0.24, 0.046, 0.046], 0.012),
	wrist: chamferedBox([0.075, 0.04, 0.04], 0.01),
	flange: wheel('X', 0.03, 0.02, 0.003, 20),
};

function drivenWheel(side: 'left' | 'right', y: number): Link {
	return {
		name: `${side}_wheel_link`,
		note: `driven wheel on the ${side}`,
		at: [0.12, y, 0],
		joint: {
			name: `${side}_wheel_joint`,
			type: 'revolute',
			axis: 'Y',
			limits: [-Infinity, Infinity],
			drive: { stiffness: 0, damping: 0.05, maxForce: 8 },
		},
		mass: 0.8,
		inertia: { solid: { kind: 'cylinder', axis: 'Y', radius: WHEEL_RADIUS, height: 0.04 }, at: [0, 0, 0] },
		surface: 'rubber',
		visuals: [
			{ name: 'tyre', mesh: 'tyre', material: 'rubber' },
			{ name: 'hub', mesh: 'hub', material: 'steel' },
		],
		colliders: [
			{ name: 'tyre', solid: { kind: 'cylinder', axis: 'Y', radius: WHEEL_RADIUS, height: 0.04 }, at: [0, 0, 0] },
		],
	};
}

function caster(side: 'left' | 'right', y: number): Link {
	const tread = { kind: 'cylinder', axis: 'Y', radius: 0.03, height: 0.02 } as const;
	return {
		name: `${side}_caster_link`,
		note: `fork of the ${side} caster: swivels freely, its wheel trails behind`,
		at: [-0.19, y, -0.015],
		joint: { name: `${side}_caster_joint`, type: 'revolute', axis: 'Z', limits: [-Infinity, Infinity] },
		mass: 0.15,
		inertia: { solid: { kind: 'box', size: [0.04, 0.038, 0.06] }, at: [-0.01, 0, -0.025] },
		surface: 'plastic',
		visuals: [{ name: 'fork', mesh: 'caster_fork', material: 'steel' }],
		colliders: [{ name: 'fork', solid: { kind: 'box', size: [0.03, 0.038, 0.026] }, at: [-0.005, 0, -0.013] }],
		children: [
			{
				name: `${side}_caster_wheel_link`,
				note: 'rolls freely',
				at: [-0.025, 0, -0.045],
				joint: { name: `${side}_caster_wheel_joint`, type: 'revolute', axis: 'Y', limits: [-Infinity, Infinity] },
				mass: 0.12,
				inertia: { solid: tread, at: [0, 0, 0] },
				surface: 'plastic',
				visuals: [{ name: 'tread', mesh: 'caster_wheel', material: 'rubber' }],
				colliders: [{ name: 'tread', solid: tread, at: [0, 0, 0] }],
			},
		],
	};
}

/** A straight part of the arm between two joints, along one axis. */
function beam(axis: 'X' | 'Z', length: number, radius: number): Pick<Link, 'inertia' | 'colliders' | 'surface'> {
	const at: Vector = axis === 'X' ? [length / 2, 0, 0] : [0, 0, length / 2];
	const size: Vector = axis === 'X' ? [length, 0.05, 0.05] : [0.052, 0.05, length];
	return {
		surface: 'plastic',
		inertia: { solid: { kind: 'box', size }, at },
		colliders: [{ name: 'beam', solid: { kind: 'capsule', axis, radius, height: length - 2 * radius }, at }],
	};
}

const arm: Link = {
	name: 'turret_link',
	note: 'turns the arm about the vertical',
	at: [0.06, 0, 0.105],
	joint: {
		name: 'turret_joint',
		type: 'revolute',
		axis: 'Z',
		limits: [-170, 170],
		drive: { stiffness: 6, damping: 0.6, maxForce: 30 },
	},
	mass: 1.6,
	inertia: { solid: { kind: 'cylinder', axis: 'Z', radius: 0.065, height: 0.12 }, at: [0, 0, 0.05] },
	surface: 'plastic',
	visuals: [
		{ name: 'pedestal', mesh: 'turret', material: 'graphite' },
		{ name: 'yoke', mesh: 'yoke', material: 'orange' },
	],
	colliders: [
		{ name: 'pedestal', solid: { kind: 'cylinder', axis: 'Z', radius: 0.07, height: 0.06 }, at: [0, 0, 0.03] },
		{ name: 'yoke', solid: { kind: 'box', size: [0.07, 0.106, 0.075] }, at: [0, 0, 0.0975] },
	],
	children: [
		{
			name: 'upper_arm_link',
			note: 'stands upright at rest',
			at: [0, 0, 0.105],
			joint: {
				name: 'shoulder_joint',
				type: 'revolute',
				axis: 'Y',
				limits: [-60, 110],
				drive: { stiffness: 8, damping: 0.8, maxForce: 45 },
			},
			mass: 1.4,
			...beam('Z', 0.28, ARM_RADIUS),
			visuals: [
				{ name: 'beam', mesh: 'upper_arm', material: 'orange', at: [0, 0, 0.14] },
				{ name: 'motor', mesh: 'motor', material: 'graphite' },
			],
			children: [
				{
					name: 'forearm_link',
					note: 'points forward at rest',
					at: [0, 0, 0.28],
					joint: {
						name: 'elbow_joint',
						type: 'revolute',
						axis: 'Y',
						limits: [-85, 75],
						drive: { stiffness: 6, damping: 0.6, maxForce: 30 },
					},
					mass: 1,
					...beam('X', 0.24, ARM_RADIUS),
					visuals: [
						{ name: 'beam', mesh: 'forearm', material: 'orange', at: [0.12, 0, 0] },
						{ name: 'motor', mesh: 'motor', material: 'graphite' },
					],
					children: [wristAndFlange()],
				},
			],
		},
	],
};

function wristAndFlange(): Link {
	return {
		name: 'wrist_link',
		note: 'nods the tool',
		at: [0.24, 0, 0],
		joint: {
			name: 'wrist_joint',
			type: 'revolute',
			axis: 'Y',
			limits: [-100, 100],
			drive: { stiffness: 3, damping: 0.3, maxForce: 12 },
		},
		mass: 0.45,
		surface: 'plastic',
		inertia: { solid: { kind: 'box', size: [0.075, 0.04, 0.04] }, at: [0.03, 0, 0] },
		visuals: [{ name: 'body', mesh: 'wrist', material: 'graphite', at: [0.03, 0, 0] }],
		colliders: [{ name: 'body', solid: { kind: 'box', size: [0.075, 0.04, 0.04] }, at: [0.03, 0, 0] }],
		children: [
			{
				name: 'flange_link',
				note: 'turns the tool; tools are mounted on its front face',
				at: [0.0775, 0, 0],
				joint: {
					name: 'flange_joint',
					type: 'revolute',
					axis: 'X',
					limits: [-175, 175],
					drive: { stiffness: 1, damping: 0.1, maxForce: 6 },
				},
				mass: 0.15,
				surface: 'plastic',
				inertia: { solid: { kind: 'cylinder', axis: 'X', radius: 0.03, height: 0.02 }, at: [0, 0, 0] },
				visuals: [{ name: 'disc', mesh: 'flange', material: 'steel' }],
				colliders: [
					{ name: 'disc', solid: { kind: 'cylinder', axis: 'X', radius: 0.03, height: 0.02 }, at: [0, 0, 0] },
				],
			},
		],
	};
}

/** A wheeled base with a five-joint arm. */
export const heron: RobotDescription = {
	name: 'heron',
	meshes,
	root: {
		name: 'base_link',
		note: 'chassis; its origin lies on the axle of the driven wheels, 0.09 m above the ground',
		at: [0, 0, WHEEL_RADIUS],
		mass: 14,
		inertia: { solid: { kind: 'box', size: [0.46, 0.28, 0.12] }, at: [-0.03, 0, 0.035] },
		surface: 'plastic',
		visuals: [
			{ name: 'chassis', mesh: 'chassis', material: 'graphite', at: [-0.02, 0, 0.045] },
			{ name: 'deck', mesh: 'deck', material: 'hazard', at: [-0.13, 0, 0.1055] },
		],
		colliders: [{ name: 'chassis', solid: { kind: 'box', size: [0.46, 0.28, 0.12] }, at: [-0.02, 0, 0.045] }],
		children: [
			drivenWheel('left', 0.17),
			drivenWheel('right', -0.17),
			caster('left', 0.09),
			caster('right', -0.09),
			arm,
		],
	},
	looks: [
		{ name: 'orange', color: [0.9, 0.35, 0.05], roughness: 0.45, metallic: 0 },
		{ name: 'graphite', color: [0.09, 0.1, 0.11], roughness: 0.6, metallic: 0.2 },
		{ name: 'steel', color: [0.62, 0.63, 0.65], roughness: 0.3, metallic: 0.9 },
		{ name: 'rubber', color: [0.03, 0.03, 0.03], roughness: 0.9, metallic: 0 },
		{ name: 'hazard', color: [0.9, 0.7, 0.1], roughness: 0.7, metallic: 0, texture: './textures/hazard.png' },
	],
	surfaces: [
		{ name: 'rubber', staticFriction: 0.9, dynamicFriction: 0.8, restitution: 0.05 },
		{ name: 'plastic', staticFriction: 0.4, dynamicFriction: 0.3, restitution: 0.1 },
	],
};
