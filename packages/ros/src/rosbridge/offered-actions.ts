import { type ActionGoal, ActionServer, GoalStatus } from '../bus/action-server.ts';
import type { RosBus } from '../bus/ros-bus.ts';
import { fromJsonMessage, toJsonMessage } from './json-message.ts';

/** What a client has written, as far as it was understood. */
type Request = Readonly<Record<string, unknown>>;

interface Offered {
	readonly server: ActionServer;
	readonly goals: Set<string>;
}

/** Most actions of one client. */
const MOST_ACTIONS = 256;

/** Actions that a client of rosbridge carries out for all that the bus reaches. */
export class OfferedActions {
	readonly #bus: RosBus;
	readonly #send: (message: object) => void;
	readonly #actions = new Map<string, Offered>();
	/** Goals under way, by the identifier that the client knows them by. */
	readonly #goals = new Map<string, { readonly goal: ActionGoal; readonly type: string }>();

	constructor(bus: RosBus, send: (message: object) => void) {
		this.#bus = bus;
		this.#send = send;
	}

	/** Offers an action; gives what is wrong with it. */
	advertise(action: string, request: Request): string | undefined {
		const type = String(request['type']).replace(/^([^/]+)\/([^/]+)$/, '$1/action/$2');
		const { types, services } = this.#bus;
		if (!types.has(type)) return `the type '${type}' of ${action} is unknown`;
		if (services.some(({ name }) => name === `${action}/_action/send_goal`) || this.#actions.size >= MOST_ACTIONS)
			return `there is an action ${action} already`;
		const goals = new Set<string>();
		const server = new ActionServer(
			this.#bus,
			{ name: action, type },
			{
				accepts: () => true,
				start: (goal) => {
					const id = `${action}:${goal.id}`;
					this.#goals.set(id, { goal, type });
					goals.add(id);
					const args = toJsonMessage(types, `${type}_Goal`, goal.goal);
					this.#send({ op: 'send_action_goal', id, action, action_type: type, args, feedback: true });
				},
				// it ends the goal with its result
				cancel: (goal) => {
					this.#send({ op: 'cancel_action_goal', id: `${action}:${goal.id}`, action });
					return true;
				},
			},
		);
		this.#actions.set(action, { server, goals });
		return undefined;
	}

	/** Takes an action back; its goals have failed. */
	unadvertise(action: string): void {
		const offered = this.#actions.get(action);
		if (offered === undefined) return;
		this.#actions.delete(action);
		for (const id of offered.goals) {
			this.#goals.get(id)?.goal.abort({});
			this.#goals.delete(id);
		}
		offered.server.close();
	}

	/** The client says how far it is; gives what is wrong with it. */
	takeFeedback(request: Request): string | undefined {
		const found = this.#goals.get(String(request['id']));
		if (found === undefined) return 'there is no such goal';
		return attempt(() =>
			found.goal.feedback(fromJsonMessage(this.#bus.types, `${found.type}_Feedback`, request['values'] ?? {})),
		);
	}

	/** The client has ended a goal; gives what is wrong with what it says. */
	takeResult(request: Request): string | undefined {
		const id = String(request['id']);
		const found = this.#goals.get(id);
		if (found === undefined) return 'there is no such goal';
		const { goal, type } = found;
		const isFailure = request['result'] === false;
		const problem = attempt(() => {
			// a failure comes with a reason in place of values
			const result = isFailure ? {} : fromJsonMessage(this.#bus.types, `${type}_Result`, request['values'] ?? {});
			const status = Number(request['status'] ?? (isFailure ? GoalStatus.ABORTED : GoalStatus.SUCCEEDED));
			if (status === GoalStatus.CANCELED) goal.canceled(result);
			else if (isFailure || status === GoalStatus.ABORTED) goal.abort(result);
			else goal.succeed(result);
		});
		if (problem !== undefined) return problem;
		this.#goals.delete(id);
		for (const { goals } of this.#actions.values()) goals.delete(id);
		return undefined;
	}

	/** The client is gone. */
	close(): void {
		for (const action of [...this.#actions.keys()]) this.unadvertise(action);
	}
}

function attempt(work: () => void): string | undefined {
	try {
		work();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
