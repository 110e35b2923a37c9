import type { RosMessage } from '../msg/message-codec.ts';
import { QOS_LATCHED } from './qos.ts';
import type { Publisher, RosBus } from './ros-bus.ts';

/** States of goals (`action_msgs/msg/GoalStatus`). @public */
export const GoalStatus = {
	ACCEPTED: 1,
	EXECUTING: 2,
	CANCELING: 3,
	SUCCEEDED: 4,
	CANCELED: 5,
	ABORTED: 6,
} as const;
/** A member of {@link GoalStatus}. @public */
export type GoalStatus = (typeof GoalStatus)[keyof typeof GoalStatus];

/** What an action does with goals. @public */
export interface ActionHandler {
	/** Whether a goal can be taken. */
	accepts(goal: RosMessage): boolean;
	/** Starts on a goal that was accepted. */
	start(goal: ActionGoal): void;
	/** Stops a goal, which it ends itself; false refuses. */
	cancel(goal: ActionGoal): boolean;
}

/** Options of {@link ActionServer}. @public */
export interface ActionOptions {
	readonly name: string;
	/** `control_msgs/action/FollowJointTrajectory`. */
	readonly type: string;
	readonly domain?: number;
}

/** Goals that have ended and are remembered, so that clients can ask for their results. */
const MOST_ENDED = 64;

/** An action: three services and two topics, as ROS 2 has them. @public */
export class ActionServer {
	readonly name: string;
	readonly type: string;
	readonly #bus: RosBus;
	readonly #handler: ActionHandler;
	readonly #goals = new Map<string, ActionGoal>();
	readonly #feedback: Publisher;
	readonly #status: Publisher;
	readonly #services: readonly Parameters<RosBus['remove']>[0][];

	constructor(bus: RosBus, options: ActionOptions, handler: ActionHandler) {
		const { name, type, domain } = options;
		this.name = name;
		this.type = type;
		this.#bus = bus;
		this.#handler = handler;
		const place = domain === undefined ? {} : { domain };
		const base = `${name}/_action`;
		this.#feedback = bus.advertise({ name: `${base}/feedback`, type: `${type}_FeedbackMessage`, ...place });
		this.#status = bus.advertise({
			name: `${base}/status`,
			type: 'action_msgs/msg/GoalStatusArray',
			qos: QOS_LATCHED,
			...place,
		});
		this.#services = [
			bus.serve({ name: `${base}/send_goal`, type: `${type}_SendGoal`, ...place }, (request) => this.#send(request)),
			bus.serve({ name: `${base}/cancel_goal`, type: 'action_msgs/srv/CancelGoal', ...place }, (request) =>
				this.#cancel(request),
			),
			bus.serve({ name: `${base}/get_result`, type: `${type}_GetResult`, ...place }, (request) =>
				this.#result(request),
			),
		];
	}

	/** Takes the action back. */
	close(): void {
		for (const service of this.#services) this.#bus.remove(service);
		this.#bus.remove(this.#feedback);
		this.#bus.remove(this.#status);
	}

	#send(request: RosMessage): RosMessage {
		const id = idOf(request['goal_id']);
		const goal = request['goal'] as RosMessage;
		const stamp = stampOf(this.#bus.time);
		if (this.#goals.has(id) || !this.#handler.accepts(goal)) return { accepted: false, stamp };
		const handle = new ActionGoal(id, goal, this.#bus.time, {
			changed: () => this.#tellStatus(),
			feedback: (feedback) => this.#feedback.publish({ goal_id: uuid(id), feedback }),
		});
		this.#goals.set(id, handle);
		handle.execute();
		this.#handler.start(handle);
		return { accepted: true, stamp };
	}

	#cancel(request: RosMessage): RosMessage {
		const info = request['goal_info'] as { goal_id: unknown; stamp: { sec: number; nanosec: number } };
		const id = idOf(info.goal_id);
		const before = BigInt(info.stamp.sec) * 1_000_000_000n + BigInt(info.stamp.nanosec);
		const isAny = id === NO_ID;
		const meant = [...this.#goals.values()].filter((goal) =>
			isAny ? before === 0n || goal.acceptedAt <= before : goal.id === id || (before > 0n && goal.acceptedAt <= before),
		);
		const named = this.#goals.get(id);
		if (!isAny && named === undefined) return { return_code: CancelCode.UNKNOWN, goals_canceling: [] };
		if (!isAny && named!.hasEnded) return { return_code: CancelCode.ENDED, goals_canceling: [] };
		const stopping = meant.filter((goal) => !goal.hasEnded && goal.status !== GoalStatus.CANCELING);
		const done = stopping.filter((goal) => {
			goal.markCanceling();
			if (this.#handler.cancel(goal)) return true;
			goal.execute();
			return false;
		});
		return {
			return_code: done.length > 0 || stopping.length === 0 ? CancelCode.NONE : CancelCode.REJECTED,
			goals_canceling: done.map((goal) => goal.info()),
		};
	}

	async #result(request: RosMessage): Promise<RosMessage> {
		const goal = this.#goals.get(idOf(request['goal_id']));
		// unknown goals have the status 0
		if (goal === undefined) return { status: 0 };
		return { result: await goal.result, status: goal.status };
	}

	#tellStatus(): void {
		let ended = 0;
		for (const goal of this.#goals.values()) if (goal.hasEnded) ended++;
		for (const [id, goal] of this.#goals) {
			if (ended <= MOST_ENDED) break;
			if (!goal.hasEnded) continue;
			this.#goals.delete(id);
			ended--;
		}
		this.#status.publish({
			status_list: [...this.#goals.values()].map((goal) => ({ goal_info: goal.info(), status: goal.status })),
		});
	}
}

const CancelCode = { NONE: 0, REJECTED: 1, UNKNOWN: 2, ENDED: 3 } as const;

interface GoalPort {
	changed(): void;
	feedback(message: RosMessage): void;
}

/** A goal that was accepted. @public */
export class ActionGoal {
	readonly id: string;
	readonly goal: RosMessage;
	/** Simulated time [ns]. */
	readonly acceptedAt: bigint;
	/** Settles when the goal ends. */
	readonly result: Promise<RosMessage>;
	readonly #port: GoalPort;
	#resolve: (result: RosMessage) => void = () => {};
	#status: GoalStatus = GoalStatus.ACCEPTED;

	constructor(id: string, goal: RosMessage, acceptedAt: bigint, port: GoalPort) {
		this.id = id;
		this.goal = goal;
		this.acceptedAt = acceptedAt;
		this.#port = port;
		this.result = new Promise((resolve) => {
			this.#resolve = resolve;
		});
	}

	get status(): GoalStatus {
		return this.#status;
	}

	get hasEnded(): boolean {
		return this.#status >= GoalStatus.SUCCEEDED;
	}

	/** Sends feedback. */
	feedback(message: RosMessage): void {
		if (!this.hasEnded) this.#port.feedback(message);
	}

	succeed(result: RosMessage): void {
		this.#end(GoalStatus.SUCCEEDED, result);
	}

	abort(result: RosMessage): void {
		this.#end(GoalStatus.ABORTED, result);
	}

	canceled(result: RosMessage): void {
		this.#end(GoalStatus.CANCELED, result);
	}

	execute(): void {
		this.#set(GoalStatus.EXECUTING);
	}

	markCanceling(): void {
		this.#set(GoalStatus.CANCELING);
	}

	info(): RosMessage {
		return { goal_id: uuid(this.id), stamp: stampOf(this.acceptedAt) };
	}

	#end(status: GoalStatus, result: RosMessage): void {
		if (this.hasEnded) return;
		this.#set(status);
		this.#resolve(result);
	}

	#set(status: GoalStatus): void {
		this.#status = status;
		this.#port.changed();
	}
}

const NO_ID = '00'.repeat(16);

function idOf(goalId: unknown): string {
	const { uuid: bytes } = goalId as { uuid: Uint8Array };
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function uuid(id: string): RosMessage {
	return { uuid: Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(id.slice(2 * i, 2 * i + 2), 16)) };
}

/** A time [ns] as messages have it. */
export function stampOf(time: bigint): { sec: number; nanosec: number } {
	return { sec: Number(time / 1_000_000_000n), nanosec: Number(time % 1_000_000_000n) };
}
