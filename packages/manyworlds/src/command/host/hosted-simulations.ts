import { UsageRangeError } from '@manyworlds/core';
import { toJsonReport } from '@manyworlds/core/internal';
import { hashState } from '@manyworlds/model';
import { openAsset } from '../../front/asset.ts';
import { type JointGains, type JointTargets, Simulation, type SimulationOptions } from '../../front/simulation.ts';
import type { HostMessage } from './host-message.ts';

/** What a program says about a simulation that it wants. */
interface Wish extends SimulationOptions {
	readonly packages?: Readonly<Record<string, string>>;
	readonly roots?: readonly string[];
}

/** Arrays of a simulation by the name that programs in Python know, with the numbers of a row. */
const ARRAYS: Readonly<Record<string, readonly [(simulation: Simulation) => Float64Array, number]>> = {
	body_poses: [(simulation) => simulation.bodyPoses, 7],
	body_velocities: [(simulation) => simulation.bodyVelocities, 6],
	body_forces: [(simulation) => simulation.state.bodyF, 6],
	body_contact_forces: [(simulation) => simulation.bodyContactForces, 6],
	joint_positions: [(simulation) => simulation.jointPositions, 1],
	joint_velocities: [(simulation) => simulation.jointVelocities, 1],
	joint_targets: [(simulation) => simulation.control.jointTargetQ, 1],
	joint_target_velocities: [(simulation) => simulation.control.jointTargetQd, 1],
	joint_efforts: [(simulation) => simulation.control.jointF, 1],
};

/** Simulations that another program uses, by number. */
export class HostedSimulations {
	readonly #simulations = new Map<number, Simulation>();
	#last = 0;

	/** Does what a message asks for. Throws what is wrong with it. */
	async answer({ value, arrays }: HostMessage): Promise<HostMessage> {
		const { call } = value;
		if (call === 'open') return this.#open(value);
		const simulation = this.#simulations.get(Number(value['simulation']));
		if (simulation === undefined) throw new UsageRangeError(`there is no simulation ${String(value['simulation'])}`);
		switch (call) {
			case 'step':
				for (const [name, numbers] of arrays) write(simulation, name, numbers);
				await simulation.step(Number(value['steps'] ?? 1));
				return {
					value: { time: simulation.time, failures: simulation.failures },
					arrays: read(simulation, value['read']),
				};
			case 'write':
				for (const [name, numbers] of arrays) write(simulation, name, numbers);
				return NOTHING;
			case 'read':
				return { value: {}, arrays: read(simulation, value['read']) };
			case 'targets':
				simulation.setTargets(value['targets'] as JointTargets, value['world'] as number | undefined);
				return NOTHING;
			case 'target velocities':
				simulation.setTargetVelocities(value['targets'] as JointTargets, value['world'] as number | undefined);
				return NOTHING;
			case 'gains':
				await simulation.setGains(value['gains'] as JointGains, value['world'] as number | undefined);
				return NOTHING;
			case 'reset':
				await simulation.reset(value['mask'] as number[] | undefined);
				return NOTHING;
			case 'hash':
				return { value: { hash: hashState(simulation.state) }, arrays: new Map() };
			case 'findings':
				return { value: { report: toJsonReport(simulation.findings) }, arrays: new Map() };
			case 'close':
				this.#simulations.delete(Number(value['simulation']));
				await simulation.dispose();
				return NOTHING;
			default:
				throw new UsageRangeError(`unknown call '${String(call)}'`);
		}
	}

	/** Ends all simulations. */
	async close(): Promise<void> {
		for (const simulation of this.#simulations.values()) await simulation.dispose();
		this.#simulations.clear();
	}

	async #open(value: Readonly<Record<string, unknown>>): Promise<HostMessage> {
		const { packages, roots, ...options } = (value['options'] ?? {}) as Wish;
		const asset = await openAsset(String(value['path']), {
			...(packages !== undefined && { packages }),
			...(roots !== undefined && { roots }),
		});
		const simulation = await Simulation.create(asset, options);
		this.#last++;
		this.#simulations.set(this.#last, simulation);
		const { model, dt, worldCount, bodyNames, jointNames, keyframes, engine, report } = simulation;
		const rows = Object.fromEntries(
			Object.entries(ARRAYS).map(([name, [arrayOf, width]]) => [name, [arrayOf(simulation).length / width, width]]),
		);
		const told = { format: asset.format, dt, worlds: worldCount, bodyNames, jointNames, keyframes };
		const jointStarts = { coordinate: [...model.jointQStart], dof: [...model.jointQdStart] };
		return {
			value: {
				simulation: this.#last,
				...told,
				engine: engine ?? null,
				arrayRows: rows,
				jointStarts: {
					coordinate: jointStarts.coordinate.slice(0, jointNames.length + 1),
					dof: jointStarts.dof.slice(0, jointNames.length + 1),
				},
				report: toJsonReport(report),
			},
			arrays: new Map(),
		};
	}
}

const NOTHING: HostMessage = { value: {}, arrays: new Map() };

function arrayOf(simulation: Simulation, name: string): Float64Array {
	const found = ARRAYS[name];
	if (found === undefined)
		throw new UsageRangeError(`unknown array '${name}', expected one of ${Object.keys(ARRAYS).join(', ')}`);
	return found[0](simulation);
}

function read(simulation: Simulation, names: unknown): Map<string, Float64Array> {
	const list = Array.isArray(names) ? names.map(String) : [];
	return new Map(list.map((name) => [name, arrayOf(simulation, name)]));
}

function write(simulation: Simulation, name: string, numbers: Float64Array): void {
	const target = arrayOf(simulation, name);
	if (numbers.length !== target.length)
		throw new UsageRangeError(`array '${name}' has ${numbers.length} numbers, expected ${target.length}`);
	target.set(numbers);
}
