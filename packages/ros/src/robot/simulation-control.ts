import { type ActionGoal, ActionServer, GoalStatus } from '../bus/action-server.ts';
import type { RosBus } from '../bus/ros-bus.ts';
import type { RobotRuntime } from './robot-runtime.ts';

/** States of a simulation (`simulation_interfaces/msg/SimulationState`). */
export const SimulationState = { STOPPED: 0, PLAYING: 1, PAUSED: 2, QUITTING: 3 } as const;
/** Results of `simulation_interfaces/msg/Result`. */
export const ResultCode = { UNSUPPORTED: 0, OK: 1, NOT_FOUND: 2, INCORRECT_STATE: 3, OPERATION_FAILED: 4 } as const;
/** Answers of SetSimulationState beyond those. */
const StateCode = { ALREADY_IN_TARGET_STATE: 101, INCORRECT_TRANSITION: 103 } as const;
/** What of simulation_interfaces is here (`SimulatorFeatures`). */
const FEATURES = {
	RESET: 20,
	STATE_GETTING: 24,
	STATE_SETTING: 25,
	PAUSE: 26,
	STEP_SINGLE: 31,
	STEP_MULTIPLE: 32,
	STEP_ACTION: 33,
} as const;

/** The bit of ResetSimulation for what was spawned. */
const SPAWNED = 4;
/** Most steps of one request. */
const MOST_STEPS = 1_000_000;

/** Options of {@link SimulationControl}. */
export interface SimulationControlOptions {
	/** Name of the node with its namespace. */
	readonly node: string;
	/** Whether it starts paused. */
	readonly isPaused?: boolean;
	/** Told that the simulation is to end. */
	readonly quit?: () => void;
	/** Takes what was spawned away. */
	readonly despawn?: () => Promise<void>;
	/** Numbers of features that others serve, and formats that can be spawned. */
	readonly features?: readonly number[];
	readonly spawnFormats?: readonly string[];
}

/**
 * Pauses, steps and resets the simulation, by services of std_srvs and of simulation_interfaces. Requests take effect between two
 * steps, in the order in which they came.
 */
export class SimulationControl {
	readonly #runtime: RobotRuntime;
	readonly #options: SimulationControlOptions;
	#state: number;
	#work: Promise<unknown> = Promise.resolve();

	constructor(bus: RosBus, runtime: RobotRuntime, options: SimulationControlOptions) {
		this.#runtime = runtime;
		this.#options = options;
		this.#state = options.isPaused === true ? SimulationState.PAUSED : SimulationState.PLAYING;
		const { node } = options;
		bus.serve({ name: `${node}/reset`, type: 'std_srvs/srv/Trigger' }, async () => {
			await this.#queue(() => runtime.reset());
			return { success: true, message: '' };
		});
		bus.serve<{ data: boolean }>({ name: `${node}/pause`, type: 'std_srvs/srv/SetBool' }, ({ data }) => {
			this.setPaused(data);
			return { success: true, message: data ? 'paused' : 'playing' };
		});
		bus.serve({ name: `${node}/step`, type: 'std_srvs/srv/Trigger' }, async () => {
			if (!this.isPaused) return { success: false, message: 'the simulation is not paused' };
			await this.step(1);
			return { success: true, message: '' };
		});
		this.#serveInterfaces(bus, node);
	}

	get isPaused(): boolean {
		return this.#state !== SimulationState.PLAYING;
	}

	setPaused(isPaused: boolean): void {
		this.#state = isPaused ? SimulationState.PAUSED : SimulationState.PLAYING;
	}

	/** Does something between two steps, after what was asked for before. */
	async between<T>(work: () => Promise<T>): Promise<T> {
		let result: T | undefined;
		await this.#queue(async () => {
			result = await work();
		});
		return result as T;
	}

	/** Takes steps, after what was asked for before. */
	async step(steps: number): Promise<void> {
		await this.#queue(async () => {
			for (let i = 0; i < steps; i++) await this.#runtime.step();
		});
	}

	#serveInterfaces(bus: RosBus, node: string): void {
		const serve = <Q extends object>(
			name: string,
			type: string,
			answer: (request: Q) => object | Promise<object>,
		): void => {
			bus.serve<Q, object>({ name: `${node}/${name}`, type: `simulation_interfaces/srv/${type}` }, answer);
		};
		serve('get_simulator_features', 'GetSimulatorFeatures', () => ({
			features: {
				features: Uint16Array.from(
					[...Object.values(FEATURES), ...(this.#options.features ?? [])].sort((a, b) => a - b),
				),
				spawn_formats: this.#options.spawnFormats ?? [],
			},
		}));
		serve('get_simulation_state', 'GetSimulationState', () => ({ state: { state: this.#state }, result: OK }));
		serve<{ state: { state: number } }>('set_simulation_state', 'SetSimulationState', async ({ state }) =>
			this.#setState(state.state),
		);
		serve<{ scope: number }>('reset_simulation', 'ResetSimulation', async ({ scope }) => {
			const isAll = scope === 0;
			const [isBack, isEmptied] = [isAll || (scope & 3) === 3, isAll || (scope & SPAWNED) !== 0];
			// time goes back with the state
			if (!isBack && (scope & 3) !== 0)
				return {
					result: failure(ResultCode.OPERATION_FAILED, 'time and state are reset together: scope 0, 3, 4, 7 or 255'),
				};
			await this.#queue(async () => {
				if (isEmptied) await this.#options.despawn?.();
				if (isBack) await this.#runtime.reset();
			});
			return { result: OK };
		});
		new ActionServer(
			bus,
			{ name: `${node}/simulate_steps`, type: 'simulation_interfaces/action/SimulateSteps' },
			{
				accepts: (goal) => {
					const steps = goal['steps'] as bigint;
					return this.#state === SimulationState.PAUSED && steps >= 1n && steps <= MOST_STEPS;
				},
				start: (goal) => void this.#simulateSteps(goal),
				// it ends between two steps
				cancel: () => true,
			},
		);
		serve<{ steps: bigint }>('step_simulation', 'StepSimulation', async ({ steps }) => {
			if (this.#state !== SimulationState.PAUSED)
				return { result: failure(ResultCode.INCORRECT_STATE, 'the simulation is not paused') };
			if (steps < 1n || steps > MOST_STEPS)
				return { result: failure(ResultCode.OPERATION_FAILED, `steps is ${steps}, expected 1 to ${MOST_STEPS}`) };
			await this.step(Number(steps));
			return { result: OK };
		});
	}

	/** Takes steps one by one, with feedback, until it is done or canceled. */
	async #simulateSteps(goal: ActionGoal): Promise<void> {
		const steps = goal.goal['steps'] as bigint;
		for (let done = 0n; done < steps; ) {
			if (goal.status === GoalStatus.CANCELING) {
				goal.canceled({ result: failure(ResultCode.OPERATION_FAILED, `canceled after ${done} steps`) });
				return;
			}
			await this.step(1);
			done++;
			goal.feedback({ completed_steps: done, remaining_steps: steps - done });
		}
		goal.succeed({ result: OK });
	}

	async #setState(state: number): Promise<object> {
		if (state === this.#state)
			return { result: failure(StateCode.ALREADY_IN_TARGET_STATE, 'it is in that state already') };
		if (state === SimulationState.PLAYING || state === SimulationState.PAUSED) this.#state = state;
		else if (state === SimulationState.STOPPED) {
			this.#state = state;
			await this.#queue(() => this.#runtime.reset());
		} else if (state === SimulationState.QUITTING) this.#options.quit?.();
		else return { result: failure(StateCode.INCORRECT_TRANSITION, `there is no way to the state ${state}`) };
		return { result: OK };
	}

	async #queue(work: () => Promise<void>): Promise<void> {
		const next = this.#work.then(work);
		this.#work = next.catch(() => {});
		await next;
	}
}

export const OK: { readonly result: number; readonly error_message: string } = {
	result: ResultCode.OK,
	error_message: '',
};

export function failure(result: number, message: string): { result: number; error_message: string } {
	return { result, error_message: message };
}
