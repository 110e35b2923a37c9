import { JointTargetMode, type ModelBuilder } from '@manyworlds/model';
import type { SolverSapOptions } from '../src/index.ts';
import { addBall, addBox, boxInertia, makeBuilder, ofMaterial, type Runner } from './make-scene.ts';

/** A little scene: what is built, how it is solved, what is done to it before it runs. */
export interface RecordedScene {
	readonly build: () => ModelBuilder;
	readonly options?: SolverSapOptions;
	readonly prepare?: (runner: Runner) => void;
	readonly dt?: number;
}

const SOFT = { ke: 2e3, tau: 0.02, mu: 0.6 };
const HARD = { ke: 1e5, tau: 0.005, mu: 0.25 };
const TILT = [0.12, -0.2, 0.05, Math.sqrt(1 - 0.12 * 0.12 - 0.2 * 0.2 - 0.05 * 0.05)];

/** Link with a centre of mass and inertia that have no symmetry. */
function addOddLink(builder: ModelBuilder, mass = 1.3): number {
	const inertia = [0.05, 0.004, -0.003, 0.004, 0.04, 0.006, -0.003, 0.006, 0.03];
	return builder.addLink({ mass, com: [0.11, -0.04, 0.07], inertia, lockInertia: true });
}

function pile(): ModelBuilder {
	const builder = makeBuilder();
	addBall(builder, 0.1, 0.8, [0, 0, 0.095], SOFT);
	addBox(builder, [0.1, 0.15, 0.05], 2, [0.05, 0.02, 0.24], HARD, TILT);
	addBall(builder, 0.07, 0.3, [0.4, 0.1, 0.069], HARD);
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(HARD) });
	return builder;
}

function pushPile(runner: Runner): void {
	runner.state.jointQd.set([0.4, -0.2, 0.1, 1, 2, -1], 0);
	runner.state.jointQd.set([1, 0.5, -0.3, 0, 0.4, 3], 12);
	runner.state.bodyF.set([0.1, 0.2, 0.3, 0.04, 0.05, 0.06], 0);
	runner.state.bodyF.set([1, -2, 0.5, 0.1, 0.2, -0.1], 6);
}

/** A chain of every joint that has coordinates, on a floating base. */
function chain(): ModelBuilder {
	const builder = makeBuilder([0.3, -0.5, -9]);
	const base = addOddLink(builder, 3);
	const joints = [builder.addJointFree({ child: base })];
	const hinge = addOddLink(builder);
	joints.push(
		builder.addJointRevolute({
			parent: base,
			child: hinge,
			axis: [0.6, 0, 0.8],
			parentXform: { p: [0.1, 0.2, 0.3], q: TILT },
			childXform: { p: [-0.05, 0.02, 0.01] },
			limitLower: -0.2,
			limitUpper: 0.1,
			limitKe: 300,
			limitKd: 6,
			targetKe: 20,
			targetKd: 2,
			effortLimit: 4,
			damping: 0.3,
			friction: 0.2,
			armature: 0.02,
			velocityLimit: 1.5,
		}),
	);
	const slider = addOddLink(builder);
	joints.push(
		builder.addJointPrismatic({
			parent: hinge,
			child: slider,
			axis: 'x',
			parentXform: { p: [0, 0, 0.2] },
			limitLower: -0.01,
			limitUpper: 0.05,
			limitKe: 5000,
			limitKd: 50,
			targetKd: 3,
			armature: 0.1,
		}),
	);
	const ball = addOddLink(builder);
	joints.push(
		builder.addJointBall({
			parent: slider,
			child: ball,
			parentXform: { p: [0.1, 0, 0] },
			armature: 0.01,
			friction: 0.05,
		}),
	);
	const table = addOddLink(builder);
	joints.push(
		builder.addJointD6({
			parent: ball,
			child: table,
			parentXform: { p: [0, 0.1, 0] },
			linearAxes: [{ axis: 'y', targetKe: 50, targetKd: 5, limitLower: -0.1, limitUpper: 0.1, limitKe: 1e3 }],
			angularAxes: [
				{ axis: 'x', damping: 0.1, friction: 0.02 },
				{ axis: 'z', targetKe: 8, targetKd: 0.4, armature: 0.03 },
			],
		}),
	);
	const tip = addOddLink(builder, 0.4);
	joints.push(builder.addJointFixed({ parent: table, child: tip, parentXform: { p: [0.02, 0.03, 0.2], q: TILT } }));
	builder.addArticulation(joints);
	return builder;
}

function moveChain({ state, control }: Runner): void {
	for (let i = 7; i < 9; i++) state.jointQ[i] = 0.12 * (i - 6);
	for (let dof = 0; dof < state.jointQd.length; dof++) state.jointQd[dof] = 0.3 * Math.cos(1.7 * dof);
	for (let dof = 0; dof < control.jointF.length; dof++) control.jointF[dof] = 0.5 * Math.sin(dof + 1);
	for (let q = 0; q < control.jointTargetQ.length; q++) control.jointTargetQ[q] = 0.1 * Math.sin(3 * q);
	for (let dof = 0; dof < control.jointTargetQd.length; dof++) control.jointTargetQd[dof] = 0.2 * Math.cos(dof);
}

/** Two arms whose ends are joined by a joint that closes a loop. */
function loop(close: (builder: ModelBuilder, parent: number, child: number) => void): () => ModelBuilder {
	return () => {
		const builder = makeBuilder([0.2, 0.1, -9.81]);
		const ends = [0, 0.5].map((x) => {
			const joints: number[] = [];
			let parent = -1;
			for (let i = 0; i < 2; i++) {
				const link = builder.addLink({
					mass: 1 + i,
					com: [0, 0.02, -0.1],
					inertia: boxInertia(1, 0.1, 0.06, 0.3),
					lockInertia: true,
				});
				const parentXform = { p: i === 0 ? [x, 0, 1] : [0, 0, -0.3] };
				joints.push(builder.addJointBall({ parent, child: link, parentXform }));
				parent = link;
			}
			builder.addArticulation(joints);
			return parent;
		});
		close(builder, ends[0]!, ends[1]!);
		return builder;
	};
}

function swing({ state }: Runner): void {
	for (let dof = 0; dof < state.jointQd.length; dof++) state.jointQd[dof] = 0.4 * Math.sin(2 * dof + 1);
}

const LEFT = { p: [0.2, 0.01, -0.1] };
const RIGHT = { p: [-0.29, 0, -0.1], q: TILT };

function loopJoints(): Record<string, RecordedScene> {
	const joined = (close: (builder: ModelBuilder, parent: number, child: number) => void): RecordedScene => ({
		build: loop(close),
		prepare: swing,
	});
	const frames = { parentXform: LEFT, childXform: RIGHT };
	return {
		'loop revolute': joined((builder, parent, child) => {
			builder.addJointRevolute({ parent, child, axis: 'y', ...frames });
		}),
		'loop prismatic': joined((builder, parent, child) => {
			builder.addJointPrismatic({ parent, child, axis: 'x', ...frames });
		}),
		'loop ball': joined((builder, parent, child) => {
			builder.addJointBall({ parent, child, ...frames });
		}),
		'loop fixed': joined((builder, parent, child) => {
			builder.addJointFixed({ parent, child, ...frames });
		}),
		'loop distance': joined((builder, parent, child) => {
			builder.addJointDistance({ parent, child, minDistance: 0.01, maxDistance: 0.015, ...frames });
		}),
		'loop D6': joined((builder, parent, child) => {
			builder.addJointD6({ parent, child, linearAxes: [{ axis: 'x' }], angularAxes: [{ axis: 'y' }], ...frames });
		}),
		connect: joined((builder, body1, body2) => {
			builder.addEqualityConstraint({ type: 'connect', body1, body2, anchor: [0.2, 0.01, -0.1] });
		}),
		weld: joined((builder, body1, body2) => {
			const relpose = [0.48, 0.02, 0.01, ...TILT];
			builder.addEqualityConstraint({ type: 'weld', body1, body2, anchor: [0.1, 0, 0], relpose, torquescale: 0.7 });
		}),
		'weld to the world': joined((builder, body1) => {
			builder.addEqualityConstraint({ type: 'weld', body1, body2: -1, relpose: [0, 0, 0.3, ...TILT] });
		}),
	};
}

function coupled(): ModelBuilder {
	const builder = makeBuilder();
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 4; i++) {
		const link = addOddLink(builder);
		const options = { parent, child: link, parentXform: { p: [0.3, 0, 0.1 * i] } };
		joints.push(
			i === 2
				? builder.addJointPrismatic({ ...options, axis: 'z' })
				: builder.addJointRevolute({ ...options, axis: 'y' }),
		);
		parent = link;
	}
	builder.addArticulation(joints);
	builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 0.1, coef1: -0.5 });
	builder.addEqualityConstraint({
		type: 'joint',
		joint1: joints[2]!,
		joint2: joints[3]!,
		polycoef: [0.02, 0.3, 0.1, -0.2, 0.05],
	});
	builder.addEqualityConstraint({ type: 'joint', joint1: joints[3]!, joint2: -1, polycoef: [0.05, 0, 0, 0, 0] });
	return builder;
}

/** Two arms and two loose bodies that touch one another and the ground: contacts between trees, within one, and with what stands still. */
function crowd(): ModelBuilder {
	const builder = makeBuilder([0, 0.4, -9.81]);
	for (const x of [0, 0.22]) {
		const base = builder.addLink({ mass: 2, inertia: boxInertia(2, 0.2, 0.2, 0.1), lockInertia: true });
		const tip = builder.addLink({
			mass: 0.5,
			com: [0.05, 0, 0],
			inertia: boxInertia(0.5, 0.2, 0.05, 0.05),
			lockInertia: true,
		});
		const joints = [
			builder.addJointPrismatic({ child: base, axis: 'z', parentXform: { p: [x, 0, 0.099] } }),
			builder.addJointRevolute({ parent: base, child: tip, axis: 'y', parentXform: { p: [0.06, 0, 0.1] } }),
		];
		builder.addArticulation(joints);
		builder.addShapeSphere(base, { radius: 0.1, ...ofMaterial(SOFT) });
		builder.addShapeCapsule(tip, { radius: 0.06, halfHeight: 0.05, xform: { p: [0.1, 0, 0.05] }, ...ofMaterial(HARD) });
	}
	addBox(builder, [0.05, 0.05, 0.05], 0.6, [0.5, 0, 0.0495], SOFT);
	addBox(builder, [0.05, 0.05, 0.05], 0.9, [0.5, 0.02, 0.149], HARD);
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(SOFT) });
	return builder;
}

/** Balls on a plane whose materials leave something out. */
function vague(ke: number, tau: number, mu: number): () => ModelBuilder {
	return () => {
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0.099], { ke, tau, mu });
		addBall(builder, 0.1, 1, [0.5, 0, 0.099], HARD);
		builder.addShapePlane({ width: 0, length: 0, config: { ke: 3e4, mu: 0.4, density: 0 } });
		return builder;
	};
}

function slideBalls({ state }: Runner): void {
	state.jointQd.set([0.3, 0.1, -0.2, 0.5, 0, 1], 0);
	state.jointQd.set([-0.3, 0.2, -0.1, 0, 0.6, 1], 6);
}

/** Hinges that differ in how their targets are taken, and a ball joint and a floating body with gains. */
function targets(): ModelBuilder {
	const builder = makeBuilder();
	for (const actuatorMode of Object.values(JointTargetMode)) {
		const link = addOddLink(builder);
		const gains = { targetKe: 12, targetKd: 0.8, actuatorMode, targetPos: 0.2, targetVel: 0.5 };
		builder.addArticulation([builder.addJointRevolute({ child: link, axis: 'x', ...gains })]);
	}
	const damped = addOddLink(builder);
	builder.addArticulation([builder.addJointPrismatic({ child: damped, axis: 'y', targetKd: 4, targetVel: 0.3 })]);
	const massless = builder.addLink({ mass: 0, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0], lockInertia: true });
	builder.addArticulation([builder.addJointRevolute({ child: massless, axis: 'z', label: 'empty' })]);
	const carried = builder.addLink({ mass: 0, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0], lockInertia: true });
	const load = addOddLink(builder);
	builder.addArticulation([
		builder.addJointRevolute({ child: carried, axis: 'z' }),
		builder.addJointRevolute({ parent: carried, child: load, axis: 'y', parentXform: { p: [0.1, 0, 0] } }),
	]);
	return builder;
}

/** Scenes by name, each with something that the others lack. */
export const RECORDED_SCENES: Readonly<Record<string, RecordedScene>> = {
	pile: { build: pile, prepare: pushPile },
	'pile approx64': { build: pile, prepare: pushPile, options: { contactPresetVariant: 'approx64' } },
	'pile approx32': { build: pile, prepare: pushPile, options: { contactPresetVariant: 'approx32' } },
	'pile with lagged friction': { build: pile, prepare: pushPile, options: { frictionModel: 'lagged' } },
	'pile with explicit turning': { build: pile, prepare: pushPile, options: { gyroscopicTerms: 'explicit' } },
	'pile of large steps': { build: pile, prepare: pushPile, options: { softNorm: 1e-3, diagShift: 1e-3 }, dt: 0.02 },
	'pile midpoint': { build: pile, prepare: pushPile, options: { positionIntegration: 'midpoint' } },
	'pile witness points': { build: pile, prepare: pushPile, options: { contactPointMode: 'witness_point' } },
	'pile body inertia': { build: pile, prepare: pushPile, options: { contactWeightMode: 'body_inertia' } },
	'pile beta and sigma': { build: pile, prepare: pushPile, options: { contactBeta: 3, contactSigma: 0.05 } },
	'pile armijo': {
		build: pile,
		prepare: pushPile,
		options: { lineSearchVariant: 'armijo_decay', initialGuess: 'free_motion' },
	},
	'pile monotone': { build: pile, prepare: pushPile, options: { lineSearchVariant: 'monotone_decay' } },
	chain: { build: chain, prepare: moveChain },
	'chain with velocity limits': { build: chain, prepare: moveChain, options: { enforceVelocityLimits: true } },
	'chain midpoint': { build: chain, prepare: moveChain, options: { positionIntegration: 'midpoint' }, dt: 0.01 },
	...loopJoints(),
	crowd: { build: crowd, prepare: swing },
	'crowd approx32': { build: crowd, prepare: swing, options: { contactPresetVariant: 'approx32' } },
	'crowd with lagged friction and witness points': {
		build: crowd,
		prepare: swing,
		options: { frictionModel: 'lagged', contactPointMode: 'witness_point' },
	},
	'chain in 32 bits': { build: chain, prepare: moveChain, options: { freeMotionSolvePrecision: 'fp32' } },
	'crowd approx64': { build: crowd, prepare: swing, options: { contactPresetVariant: 'approx64' } },
	'materials without stiffness': { build: vague(0, 0.01, 0.5), prepare: slideBalls },
	'materials without relaxation': { build: vague(2e4, -1, 0.5), prepare: slideBalls },
	'materials of infinite stiffness': { build: vague(Number.POSITIVE_INFINITY, 0.02, 0), prepare: slideBalls },
	'materials with fallbacks': {
		build: vague(0, -1, 0.3),
		prepare: slideBalls,
		options: { contactTauD: 0.03, fallbackMu: 0.9, fallbackStiffness: 5e3 },
	},
	targets: { build: targets, prepare: swing },
	coupled: {
		build: coupled,
		prepare: ({ state }) => {
			state.jointQ.set([0.2, 0, 0.05, 0.1]);
			state.jointQd.set([1, -0.5, 0.2, 0.3]);
		},
	},
};
