import type { Model } from '@manyworlds/model';
import { contactUse, contactUseText, groundText, worldRows } from '@manyworlds/worlds/internal';
import type { RunResult } from './simulate.ts';
import type { Simulation } from './simulation.ts';

/** What became of a simulation, for people. */
export function summaryText(simulation: Simulation, results: readonly RunResult[]): string {
	const { file, model, contactDefaults } = simulation;
	const lines = [
		describeModel(file, model),
		contactUseText(contactUse(model, contactDefaults)),
		...startLines(simulation),
	];
	for (const result of results) lines.push('', ...resultLines(simulation, result));
	if (results.length > 1) lines.push('', ...differenceLines(results[0]!, results[1]!));
	return `${lines.join('\n')}\n`;
}

/** What a robot stands on, what its file decided, and what else could have been chosen. */
function startLines({ ground, taken = [], keyframes = [] }: Simulation): string[] {
	const lines = ground === undefined ? [] : [groundText(ground)];
	if (taken.length > 0) lines.push(`taken from the file: ${taken.join(', ')}`);
	if (keyframes.length > 0) {
		const [first, ...others] = keyframes.map(shellWord);
		const more = others.length > MOST_KEYFRAMES ? ` and ${others.length - MOST_KEYFRAMES} more` : '';
		const also = others.length === 0 ? '' : `; also ${others.slice(0, MOST_KEYFRAMES).join(', ')}${more}`;
		lines.push(`the file has states to start from: --keyframe ${first}${also}`);
	}
	return lines;
}

/** Names of keyframes that are listed behind the first. */
const MOST_KEYFRAMES = 4;

function shellWord(text: string): string {
	return /^[\w./-]+$/.test(text) ? text : `'${text}'`;
}

/** What became of a simulation, for programs. */
export function summaryJson(simulation: Simulation, results: readonly RunResult[]): string {
	const { file, model, dt, contactDefaults, ground, taken, keyframes } = simulation;
	const runs = results.map((result) => ({
		solver: result.solver,
		settings: result.settings,
		...(result.engine !== undefined && { engine: result.engine }),
		steps: result.steps,
		dt,
		seconds: result.seconds,
		jobs: result.jobs,
		worldStepsPerSecond: rateOf(result, model),
		stateHash: result.stateHash,
		failedWorlds: result.failures.length,
		failures: result.failures,
		work: result.work,
		energyFromNothing: result.energyGain,
		contacts: result.contacts,
		...(result.iterations && {
			iterations: result.iterations,
			worstResidual: result.worstResidual,
			unconvergedWorldSteps: result.unconverged,
		}),
		columns: result.recording.columns,
		first: result.recording.rows[0],
		last: result.recording.rows.at(-1),
	}));
	const counts = { worlds: model.worldCount, bodies: model.bodyCount, dofs: model.jointDofCount };
	const start = { ...(ground && { ground }), ...(taken && { taken }), ...(keyframes && { keyframes }) };
	const contacts = contactUse(model, contactDefaults);
	return `${JSON.stringify({ version: 1, file, ...counts, contacts, ...start, runs }, null, 2)}\n`;
}

/** A file and what a world of it has. */
export function describeModel(file: string, model: Model): string {
	const count = (entity: 'body' | 'jointDof' | 'shape', one: string, many: string): string => {
		const { start, end } = worldRows(model, entity, 0);
		return `${end - start} ${end - start === 1 ? one : many}`;
	};
	const parts = [
		count('body', 'body', 'bodies'),
		count('jointDof', 'degree of freedom', 'degrees of freedom'),
		count('shape', 'shape', 'shapes'),
		`${model.worldCount} ${model.worldCount === 1 ? 'world' : 'worlds'}`,
	];
	return `${file}: ${parts.join(', ')}`;
}

/** A number with four digits. */
export function round(value: number): string {
	return String(Number(value.toPrecision(4)));
}

/** World-steps in a second. */
export function rateOf(result: Pick<RunResult, 'steps' | 'seconds'>, model: Model): number {
	return (result.steps * model.worldCount) / Math.max(result.seconds, 1e-9);
}

/** Lines of quantities at most; recordings have the others. */
const MOST_LINES = 8;
const MOST_FAILURES = 5;

function resultLines({ model, dt }: Simulation, result: RunResult): string[] {
	const { recording, steps, seconds, failures } = result;
	const time = steps * dt;
	const lines = [
		`${result.solver} (${result.settings}): ${steps} steps of ${dt} s (${round(time)} s) in ${round(seconds)} s, ${Math.round(rateOf(result, model))} world-steps/s${result.jobs > 1 ? ` on ${result.jobs} threads` : ''}, ${round(time / Math.max(seconds, 1e-9))} times real time`,
	];
	const shown = recording.indicesOf('energy', 'kinetic', 'potential', 'height', 'body');
	for (const i of shown.slice(0, MOST_LINES)) {
		const { name, unit } = recording.quantities[i]!;
		const values = recording.column(i);
		lines.push(`  ${name}: ${round(values[0]!)} → ${round(values.at(-1)!)} ${unit}`);
	}
	if (shown.length > MOST_LINES) lines.push(`  and ${shown.length - MOST_LINES} more`);
	const nothing = result.energyGain > 0 ? `, and ${round(result.energyGain)} J came from nothing` : '';
	lines.push(`  work of drives and forces: ${round(result.work)} J${nothing}`);
	lines.push(`  contacts of a world: ${round(result.contacts.mean)} on average, ${result.contacts.most} at most`);
	if (result.iterations !== undefined) {
		const end = result.unconverged === 0 ? 'all converged' : `${result.unconverged} world-steps did not converge`;
		lines.push(
			`  Newton steps: ${round(result.iterations.mean)} on average, ${result.iterations.most} at most, residual at most ${round(result.worstResidual!)}: ${end}`,
		);
	}
	lines.push(`  state at the end: ${result.stateHash}`);
	for (const { world, step, reason } of failures.slice(0, MOST_FAILURES))
		lines.push(`  world ${world} diverged in step ${step} (${round(step * dt)} s): ${reason}`);
	if (failures.length > 0) {
		const rest = failures.length > MOST_FAILURES ? `${failures.length - MOST_FAILURES} more diverged, ` : '';
		lines.push(`  ${rest}${failures.length} of ${model.worldCount} worlds diverged; the others went on`);
	}
	return lines;
}

/** Largest differences between two runs at the end of each quarter: one for each unit of joints and bodies, and of energy. */
function differenceLines(first: RunResult, second: RunResult): string[] {
	const [a, b] = [first.recording, second.recording];
	const lines = [`${first.solver} against ${second.solver}, largest differences:`];
	for (let quarter = 1; quarter <= 4; quarter++) {
		const row = Math.round(((a.times.length - 1) * quarter) / 4);
		const gapOf = (i: number): number => Math.abs(a.rows[row]![i]! - b.rows[row]![i]!);
		const worst = new Map<string, number>();
		for (const [i, { group, unit }] of a.quantities.entries()) {
			if (!COMPARED.has(group)) continue;
			const kind = `${group} ${unit}`;
			const known = worst.get(kind);
			if (known === undefined || !(gapOf(i) <= gapOf(known))) worst.set(kind, i);
		}
		const parts = [...worst.values()].map((i) => {
			const { group, name, unit } = a.quantities[i]!;
			const amount = unit === '' ? `${round(gapOf(i))} of a quaternion` : `${round(gapOf(i))} ${unit}`;
			return group === 'energy' ? `energy ${amount}` : `${group} ${amount} (${name})`;
		});
		lines.push(`  at ${round(a.times[row]!)} s: ${parts.join(', ') || 'nothing that is compared was recorded'}`);
	}
	return lines;
}

/** Kinds of quantities that two solvers should agree in. */
const COMPARED: ReadonlySet<string> = new Set(['energy', 'position', 'velocity', 'body']);
