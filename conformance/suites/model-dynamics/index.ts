import { dirname } from 'node:path';
import { ArticulatedDynamics } from '@manyworlds/model';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { buildRobot, type Robot } from './build-robot.ts';
import { checkStructure } from './check-structure.ts';
import { type Dump, type DumpState, parseDump } from './dump.ts';
import { Findings } from './findings.ts';
import { jointCoordinates, PinocchioVelocities } from './pinocchio-layout.ts';
import { readUrdf } from './read-urdf.ts';

/** Kinematics and dynamics of robots and random trees against Pinocchio. */
export const modelDynamics: Suite = {
	name: 'model/dynamics',
	description: 'NAME.json.gz dumps of Pinocchio (pinocchio-dump/1) of URDF files that they name',
	defaultDir: 'oracle/golden/pinocchio',
	groups: [
		{
			name: 'structure',
			description: 'joints, lumped bodies after collapsing fixed joints, limits, totals',
			tolerance: '1e-12 of the largest entry',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const file of dumps(context))
					yield { name: file.name, run: () => checkStructure(file.load(), file.robot()) };
			},
		},
		{
			name: 'states',
			description: 'placements, velocities, Jacobians, mass matrix, bias, gravity and torques, energies, momentum',
			tolerance: 'placements, velocities and Jacobians 1e-11 absolute; others 1e-11 of the largest entry',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const file of dumps(context)) {
					yield {
						name: file.name,
						run: () => checkStates(file.load(), file.robot()),
					};
				}
			},
		},
	],
};

interface DumpFile {
	readonly name: string;
	load(): Dump;
	robot(): Robot;
}

function* dumps(context: SuiteContext): Generator<DumpFile> {
	for (const path of walkFiles(context.dir)) {
		if (!/\.json(\.gz)?$/.test(path)) continue;
		const load = (): Dump => parseDump(readJson(path));
		const robot = (): Robot => {
			const dump = load();
			const input = context.inputs.find(dump.model, dirname(path));
			if ('problem' in input) throw new Error(input.problem);
			return buildRobot(readUrdf(input.path), dump.free_flyer, dump.gravity_vector);
		};
		yield { name: caseName(context.dir, path), load, robot };
	}
}

function checkStates(dump: Dump, robot: Robot): Outcome {
	const findings = new Findings();
	const dynamics = new ArticulatedDynamics(robot.model);
	dump.states.forEach((state, i) => {
		checkState(dump, robot, dynamics, state, findings, `state ${i}: `);
	});
	if (dump.states.length === 0) findings.add('the dump has no states');
	return findings.outcome();
}

function checkState(
	dump: Dump,
	robot: Robot,
	dynamics: ArticulatedDynamics,
	golden: DumpState,
	findings: Findings,
	where: string,
): void {
	const { model, bodies } = robot;
	const state = model.createState();
	state.jointQ.set(jointCoordinates(dump, robot, golden.q));
	const velocities = new PinocchioVelocities(dump, robot, state.jointQ);
	state.jointQd.set(velocities.jointQd(golden.v));
	dynamics.forwardKinematics(state);

	dump.links.forEach((link, i) => {
		const body = bodies.get(link.name)!;
		const placement = golden.link_placements[i]!;
		findings.close(
			`${where}position of '${link.name}'`,
			state.bodyQ.subarray(7 * body, 7 * body + 3),
			placement.position,
			1e-11,
		);
		findings.close(
			`${where}rotation of '${link.name}'`,
			rotationOf(state.bodyQ, 7 * body + 3),
			placement.rotation.flat(),
			1e-11,
		);
		const aligned = alignSign(state.bodyQ.subarray(7 * body + 3, 7 * body + 7), placement.quaternion_xyzw);
		findings.close(`${where}quaternion of '${link.name}'`, aligned, placement.quaternion_xyzw, 1e-11);
		findings.close(
			`${where}velocity of '${link.name}'`,
			originVelocity(robot, state, body),
			golden.link_velocities[i]!,
			1e-10,
		);
	});

	const jacobian = dynamics.jacobian(state);
	dump.joints.forEach((joint, i) => {
		const rows = velocities.jointJacobian(jacobian, dynamics.maxDofs, joint.name, state.bodyQ);
		findings.close(`${where}Jacobian of '${joint.name}'`, rows, golden.joint_jacobians[i]!.flat(), 1e-11);
	});
	const mass = velocities.projectMatrix(dynamics.massMatrix(state), dynamics.maxDofs);
	findings.closeRelative(`${where}mass matrix`, mass, golden.mass_matrix.flat(), 1e-11);
	const noRates = { ...golden, v: golden.v.map(() => 0) };
	const force = (v: readonly number[], a: readonly number[], withoutGravity = false): Float64Array => {
		const moving = { jointQ: state.jointQ, jointQd: velocities.jointQd(v) };
		const tau = dynamics.inverseDynamics(moving, { jointQdd: velocities.jointQdd(v, a), withoutGravity });
		return velocities.projectForces(tau);
	};
	const zero = golden.a.map(() => 0);
	findings.closeRelative(`${where}bias`, force(golden.v, zero), golden.bias, 1e-11);
	findings.closeRelative(`${where}gravity`, force(noRates.v, zero), golden.gravity, 1e-11);
	findings.closeRelative(`${where}inverse dynamics`, force(golden.v, golden.a), golden.inverse_dynamics, 1e-11);
	// an independent statement of the dump: torque minus bias is mass matrix times acceleration
	const product = golden.mass_matrix.map((row) => row.reduce((sum, entry, k) => sum + entry * golden.a[k]!, 0));
	findings.closeRelative(
		`${where}torque minus bias`,
		force(golden.v, golden.a, true).map((t, k) => t - force(golden.v, zero, true)[k]!),
		product,
		1e-9,
	);
	if (!(golden.forward_dynamics_error < 1e-6))
		findings.add(`${where}the dump's own forward dynamics error is ${golden.forward_dynamics_error}`);
	checkTotals(robot, dump, state, golden, findings, where);
}

function checkTotals(
	robot: Robot,
	dump: Dump,
	state: { bodyQ: Float64Array; bodyQd: Float64Array },
	golden: DumpState,
	findings: Findings,
	where: string,
): void {
	const { model, bodies } = robot;
	const moving = dump.links.filter((link) => link.joint !== 'universe').map((link) => bodies.get(link.name)!);
	const com = [0, 0, 0];
	const linear = [0, 0, 0];
	let total = 0;
	const centers = moving.map((body) => pointOf(state.bodyQ, body, model.bodyCom.subarray(3 * body, 3 * body + 3)));
	moving.forEach((body, i) => {
		const mass = model.bodyMass[body]!;
		total += mass;
		for (let k = 0; k < 3; k++) {
			com[k] = com[k]! + mass * centers[i]![k]!;
			linear[k] = linear[k]! + mass * state.bodyQd[6 * body + k]!;
		}
	});
	for (let k = 0; k < 3; k++) com[k] = com[k]! / total;
	const angular = [0, 0, 0];
	let kinetic = 0;
	let potential = 0;
	moving.forEach((body, i) => {
		const mass = model.bodyMass[body]!;
		const v = Array.from(state.bodyQd.subarray(6 * body, 6 * body + 3));
		const w = Array.from(state.bodyQd.subarray(6 * body + 3, 6 * body + 6));
		const spin = inertiaTimes(
			model.bodyInertia.subarray(9 * body, 9 * body + 9),
			rotationOf(state.bodyQ, 7 * body + 3),
			w,
		);
		const arm = centers[i]!.map((x, k) => x - com[k]!);
		const orbital = cross(
			arm,
			v.map((x) => mass * x),
		);
		for (let k = 0; k < 3; k++) {
			angular[k] = angular[k]! + spin[k]! + orbital[k]!;
			kinetic += 0.5 * (mass * v[k]! * v[k]! + w[k]! * spin[k]!);
			potential -= mass * dump.gravity_vector[k]! * centers[i]![k]!;
		}
	});
	findings.close(`${where}centre of mass`, com, golden.com, 1e-11);
	findings.closeRelative(`${where}momentum`, [...linear, ...angular], golden.centroidal_momentum, 1e-10);
	findings.closeRelative(`${where}kinetic energy`, [kinetic], [golden.kinetic_energy], 1e-10);
	findings.closeRelative(`${where}potential energy`, [potential], [golden.potential_energy], 1e-10);
}

/** Row-major rotation matrix of a quaternion, images of the axes as columns. */
export function rotationOf(q: Float64Array, at: number): number[] {
	const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
	return [
		1 - 2 * (y * y + z * z),
		2 * (x * y - w * z),
		2 * (x * z + w * y),
		2 * (x * y + w * z),
		1 - 2 * (x * x + z * z),
		2 * (y * z - w * x),
		2 * (x * z - w * y),
		2 * (y * z + w * x),
		1 - 2 * (x * x + y * y),
	];
}

function alignSign(q: Float64Array, like: readonly number[]): number[] {
	const dot = like.reduce((sum, value, i) => sum + value * q[i]!, 0);
	return Array.from(q, (value) => (dot < 0 ? -value : value));
}

function pointOf(bodyQ: Float64Array, body: number, local: ArrayLike<number>): number[] {
	const r = rotationOf(bodyQ, 7 * body + 3);
	return [0, 1, 2].map(
		(k) => bodyQ[7 * body + k]! + r[3 * k]! * local[0]! + r[3 * k + 1]! * local[1]! + r[3 * k + 2]! * local[2]!,
	);
}

/** Velocity of the body's origin, and angular, from that of the centre of mass. */
function originVelocity(robot: Robot, state: { bodyQ: Float64Array; bodyQd: Float64Array }, body: number): number[] {
	const com = pointOf(state.bodyQ, body, robot.model.bodyCom.subarray(3 * body, 3 * body + 3));
	const arm = [0, 1, 2].map((k) => state.bodyQ[7 * body + k]! - com[k]!);
	const w = Array.from(state.bodyQd.subarray(6 * body + 3, 6 * body + 6));
	const turn = cross(w, arm);
	return [0, 1, 2].map((k) => state.bodyQd[6 * body + k]! + turn[k]!).concat(w);
}

function inertiaTimes(tensor: Float64Array, r: readonly number[], w: readonly number[]): number[] {
	const local = [0, 1, 2].map((k) => r[k]! * w[0]! + r[3 + k]! * w[1]! + r[6 + k]! * w[2]!);
	const turned = [0, 1, 2].map(
		(k) => tensor[3 * k]! * local[0]! + tensor[3 * k + 1]! * local[1]! + tensor[3 * k + 2]! * local[2]!,
	);
	return [0, 1, 2].map((k) => r[3 * k]! * turned[0]! + r[3 * k + 1]! * turned[1]! + r[3 * k + 2]! * turned[2]!);
}

export function cross(a: readonly number[], b: readonly number[]): number[] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}
