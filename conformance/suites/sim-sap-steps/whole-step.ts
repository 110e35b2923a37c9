import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Contacts, JointType, type Model } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { readJson } from '../../src/files.ts';
import { engineOptions, type Outcome, type SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { rotate } from '../sim-drake-scenes/build-scene.ts';
import { alignSigns, buildModel, forEachQuaternion, type LoadedModel } from './loaded-model.ts';

type Vectors = readonly (readonly number[])[];

interface Probe {
	readonly step: number;
	readonly dt: number;
	readonly before: { readonly joint_q: readonly number[] };
	readonly contacts: {
		readonly count: number;
		readonly shape0: readonly number[];
		readonly shape1: readonly number[];
		readonly point0: Vectors;
		readonly point1: Vectors;
		readonly normal: Vectors;
		readonly margin0: readonly number[];
		readonly margin1: readonly number[];
	};
	readonly control: Readonly<
		Record<'joint_act' | 'joint_f' | 'joint_target_pos' | 'joint_target_vel', readonly number[]>
	>;
	readonly f64?: {
		readonly joint_q_after: readonly number[];
		readonly joint_qd_sap_after: readonly number[];
		readonly joint_qd_sap_before: readonly number[];
	};
	readonly worlds: readonly { readonly check: { readonly relative_residual: number } }[];
}

/**
 * Steps the states of a file with our solver and compares the state after. Left out are steps that SAP Warp did not solve to
 * its tolerance, and contacts of spheres and capsules, which it puts at the centre instead of the surface.
 */
export function checkWholeSteps(path: string, context: SuiteContext): Outcome {
	const file = readJson(path) as { readonly preset: string; readonly probes: readonly Probe[] };
	if (file.preset !== 'drake' && file.preset !== 'approx64') return { excluded: 'the preset has no 64-bit steps' };
	const scene = basename(path).split('.')[0]!;
	const loadPath = join(dirname(path), '../load', `${scene}.json.gz`);
	if (!existsSync(loadPath)) return { skipped: `there is no ${loadPath}` };
	const loaded = (readJson(loadPath) as { readonly model: LoadedModel }).model;
	const model = buildModel(loaded);
	const findings = new Findings();
	const solver = new SolverSap(model, {
		...engineOptions(context),
		contactPresetVariant: file.preset,
		gyroscopicTerms: 'explicit',
		// the reference stops at a residual of 1e-6: where that is depends on its Newton steps
		frictionDirection: 'slip',
	});
	let compared = 0;
	for (const probe of file.probes) {
		const isSolved = probe.worlds.every((world) => world.check.relative_residual < 1e-5);
		const hasCores = [...probe.contacts.margin0, ...probe.contacts.margin1].some((margin) => margin !== 0);
		if (probe.f64 === undefined || !isSolved || hasCores) continue;
		compared++;
		checkProbe(model, solver, probe, probe.f64, findings);
	}
	return compared === 0 ? { excluded: 'no step can be compared' } : findings.outcome();
}

function checkProbe(
	model: Model,
	solver: SolverSap,
	probe: Probe,
	golden: NonNullable<Probe['f64']>,
	findings: Findings,
): void {
	const state = model.createState();
	const next = model.createState();
	const control = model.createControl();
	state.jointQ.set(probe.before.joint_q);
	// quaternions of 32 bits are not quite of length 1
	forEachQuaternion(model, (at) => {
		const length = Math.hypot(...state.jointQ.subarray(at, at + 4));
		for (let k = 0; k < 4; k++) state.jointQ[at + k] = state.jointQ[at + k]! / length;
	});
	state.jointQd.set(toPublic(model, golden.joint_qd_sap_before, state.jointQ));
	control.jointF.set(probe.control.joint_f);
	control.jointAct.set(probe.control.joint_act);
	control.jointTargetQd.set(probe.control.joint_target_vel);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint]!;
		if (type === JointType.FREE || type === JointType.BALL) continue;
		const q = model.jointQStart[joint]!;
		const d = model.jointQdStart[joint]!;
		for (let k = 0; d + k < model.jointQdStart[joint + 1]!; k++) {
			control.jointTargetQ[q + k] = probe.control.joint_target_pos[d + k]!;
		}
	}
	const contacts = new Contacts(model, { rigidCapacity: Math.max(1, probe.contacts.count) });
	for (let row = 0; row < probe.contacts.count; row++) {
		contacts.nextRigid();
		contacts.rigidShape0[row] = probe.contacts.shape0[row]!;
		contacts.rigidShape1[row] = probe.contacts.shape1[row]!;
		contacts.rigidPoint0.set(probe.contacts.point0[row]!, 3 * row);
		contacts.rigidPoint1.set(probe.contacts.point1[row]!, 3 * row);
		contacts.rigidNormal.set(probe.contacts.normal[row]!, 3 * row);
	}
	solver.step(state, next, control, contacts, probe.dt);
	const where = `step ${probe.step}: `;
	const velocities = toSap(model, next.jointQd, next.jointQ);
	const speed = Math.max(1, ...golden.joint_qd_sap_after.map(Math.abs));
	findings.close(`${where}velocities`, velocities, golden.joint_qd_sap_after, 1e-5 * speed);
	findings.close(
		`${where}coordinates`,
		alignSigns(model, next.jointQ, golden.joint_q_after),
		golden.joint_q_after,
		1e-6,
	);
}

/** Angular velocity and velocity of the origin become velocity of the centre of mass and angular velocity. */
function toPublic(model: Model, sap: ArrayLike<number>, jointQ: Float64Array): number[] {
	const out = Array.from(sap);
	forEachFree(model, jointQ, (d, r) => {
		const [wx, wy, wz, vx, vy, vz] = [0, 1, 2, 3, 4, 5].map((k) => sap[d + k]!) as Six;
		out.splice(d, 6, vx + wy * r[2] - wz * r[1], vy + wz * r[0] - wx * r[2], vz + wx * r[1] - wy * r[0], wx, wy, wz);
	});
	return out;
}

/** The other way. */
function toSap(model: Model, own: ArrayLike<number>, jointQ: Float64Array): number[] {
	const out = Array.from(own);
	forEachFree(model, jointQ, (d, r) => {
		const [vx, vy, vz, wx, wy, wz] = [0, 1, 2, 3, 4, 5].map((k) => own[d + k]!) as Six;
		out.splice(
			d,
			6,
			wx,
			wy,
			wz,
			vx - (wy * r[2] - wz * r[1]),
			vy - (wz * r[0] - wx * r[2]),
			vz - (wx * r[1] - wy * r[0]),
		);
	});
	return out;
}

type Six = [number, number, number, number, number, number];

/** Calls with the first degree of freedom of every free joint and the vector from its origin to the centre of mass. */
function forEachFree(
	model: Model,
	jointQ: Float64Array,
	visit: (dof: number, r: [number, number, number]) => void,
): void {
	for (let joint = 0; joint < model.jointCount; joint++) {
		if (model.jointType[joint] !== JointType.FREE) continue;
		const body = model.jointChild[joint]!;
		const q = model.jointQStart[joint]! + 3;
		const r = rotate(jointQ.subarray(q, q + 4), model.bodyCom.subarray(3 * body, 3 * body + 3));
		visit(model.jointQdStart[joint]!, r as [number, number, number]);
	}
}
