import { Control, JointType, type Model, State } from '@manyworlds/model';
import { type MujocoModule, SolverMujoco } from '@manyworlds/mujoco';
import type { Json, JsonObject } from '../../src/json.ts';
import { flatten } from './mj-differences.ts';
import { convertOptionsOf } from './solver-options.ts';

/** What differs from the recorded states, as far as the recorded sensitivity lets them be compared. */
export function trajectoryDifferences(
	module: MujocoModule,
	model: Model,
	solver: JsonObject,
	trajectories: readonly Json[],
): string[] {
	const differences: string[] = [];
	for (const [i, json] of trajectories.entries()) {
		const run = json as JsonObject;
		const problem = runDifference(module, model, { ...solver, ...(run.solver as JsonObject) }, run);
		if (problem !== undefined) differences.push(`trajectory ${i} (${String(run.signal)}): ${problem}`);
	}
	return differences;
}

function runDifference(module: MujocoModule, model: Model, solver: JsonObject, run: JsonObject): string | undefined {
	const own = new SolverMujoco(module, model, convertOptionsOf(solver));
	try {
		let state = new State(model);
		let next = new State(model);
		const control = new Control(model);
		const rows = run.rows as readonly JsonObject[];
		const sensitivity = sensitivities(run);
		const dt = Number(run.dt);
		for (let step = 0, row = 0; step <= Number(run.steps) && row < rows.length; step++) {
			if (Number(rows[row]!.step) === step) {
				const allowed = sensitivity(row);
				if (allowed > SENSITIVITY_LIMIT) return undefined;
				for (const name of ['joint_q', 'joint_qd', 'body_q']) {
					const values = { joint_q: state.jointQ, joint_qd: state.jointQd, body_q: state.bodyQ }[name]!;
					const expected = flatten(rows[row]![name] ?? []);
					const tolerance = Math.max(1e-5, 10 * allowed);
					const at = expected.findIndex(
						(number, i) => !(Math.abs(values[i]! - number) <= tolerance * Math.max(1, Math.abs(number))),
					);
					if (at >= 0)
						return `${name}[${at}] after ${step} steps is ${values[at]}, expected ${expected[at]} within ${tolerance}`;
				}
				row++;
			}
			applySignal(model, control, String(run.signal), step * dt);
			own.step(state, next, control, undefined, dt);
			[state, next] = [next, state];
			roundToSingle(state);
		}
		return undefined;
	} finally {
		own.dispose();
	}
}

/** Rows whose recorded sensitivity is above this are chaos. */
const SENSITIVITY_LIMIT = 1e-3;

function sensitivities(run: JsonObject): (row: number) => number {
	const { joint_q: positions, joint_qd: velocities } = (run.sensitivity ?? {}) as JsonObject;
	const lists = [flatten(positions ?? []), flatten(velocities ?? [])];
	return (row) => Math.max(...lists.map((list) => list[row] ?? 0));
}

/** The reference keeps its state in single precision between steps. */
function roundToSingle(state: State): void {
	for (const array of [state.jointQ, state.jointQd])
		for (let i = 0; i < array.length; i++) array[i] = Math.fround(array[i]!);
}

function applySignal(model: Model, control: Control, signal: string, time: number): void {
	if (signal !== 'sine') return;
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint];
		if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) continue;
		for (let i = model.jointQStart[joint]!; i < model.jointQStart[joint + 1]!; i++) {
			control.jointTargetQ[i] = model.jointTargetQ[i]! + 0.1 * Math.sin(2 * Math.PI * time + i);
		}
	}
	for (let i = 0; i < control.jointTargetQd.length; i++) {
		control.jointTargetQd[i] = model.jointTargetQd[i]! + 0.1 * Math.cos(2 * Math.PI * time + i);
	}
	if (!control.attributes.has('mujoco:ctrl')) return;
	const direct = control.attributes.get('mujoco:ctrl') as Float64Array;
	for (let i = 0; i < direct.length; i++) direct[i] = 0.1 * Math.sin(2 * Math.PI * time + i);
}
