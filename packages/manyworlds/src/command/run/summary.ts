import type { Model } from '@manyworlds/model';
import { contactUse, contactUseText, QUANTITY_GROUPS } from '@manyworlds/worlds';
import { worldRows } from '@manyworlds/worlds/internal';
import type { RunResult } from './simulate.ts';
import type { Simulation } from './simulation.ts';

/** What became of a simulation, for people. */
export function summaryText(simulation: Simulation, results: readonly RunResult[]): string {
	const { file, model, contactDefaults } = simulation;
	const lines = [describeModel(file, model), contactUseText(contactUse(model, contactDefaults))];
	for (const result of results) lines.push('', ...resultLines(simulation, result));
	if (results.length > 1) lines.push('', ...differenceLines(results[0]!, results[1]!));
	return `${lines.join('\n')}\n`;
}

/** What became of a simulation, for programs. */
export function summaryJson(simulation: Simulation, results: readonly RunResult[]): string {
	const { file, model, dt, contactDefaults } = simulation;
	const runs = results.map((result) => ({
		solver: result.solver,
		settings: result.settings,
		steps: result.steps,
		dt,
		seconds: result.seconds,
		jobs: result.jobs,
		worldStepsPerSecond: rateOf(result, model),
		stateHash: result.stateHash,
		failedWorlds: result.failures.length,
		failures: result.failures,
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
	return `${JSON.stringify({ version: 1, file, ...counts, contacts: contactUse(model, contactDefaults), runs }, null, 2)}\n`;
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
		const { name, group } = recording.quantities[i]!;
		const values = recording.column(i);
		lines.push(`  ${name}: ${round(values[0]!)} → ${round(values.at(-1)!)} ${QUANTITY_GROUPS[group]}`);
	}
	if (shown.length > MOST_LINES) lines.push(`  and ${shown.length - MOST_LINES} more`);
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

/** Largest differences between two runs, at the end of each quarter. */
function differenceLines(first: RunResult, second: RunResult): string[] {
	const [a, b] = [first.recording, second.recording];
	const lines = [`${first.solver} against ${second.solver}:`];
	const others = a.quantities.flatMap(({ group }, i) => (/^(?:position|velocity|body)$/.test(group) ? [i] : []));
	for (let quarter = 1; quarter <= 4; quarter++) {
		const row = Math.round(((a.times.length - 1) * quarter) / 4);
		const gapOf = (i: number): number => Math.abs(a.rows[row]![i]! - b.rows[row]![i]!);
		let worst = { name: '', gap: 0 };
		for (const i of others) if (!(gapOf(i) <= worst.gap)) worst = { name: a.columns[i]!, gap: gapOf(i) };
		const energy = a.indicesOf('energy').map((i) => `, energy ${round(gapOf(i))} J`);
		const name = worst.name === '' ? '' : ` (${worst.name})`;
		lines.push(`  at ${round(a.times[row]!)} s: largest difference ${round(worst.gap)}${name}${energy.join('')}`);
	}
	return lines;
}
