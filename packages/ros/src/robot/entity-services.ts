import { quatRotate } from '@manyworlds/core/internal';
import { JointType, type Model, type State } from '@manyworlds/model';
import { stampOf } from '../bus/action-server.ts';
import type { RosBus } from '../bus/ros-bus.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import { failure, OK, ResultCode, type SimulationControl } from './simulation-control.ts';

/** Results of SpawnEntity beyond the usual ones. */
export const SpawnCode = {
	NAME_NOT_UNIQUE: 101,
	NAME_INVALID: 102,
	UNSUPPORTED_FORMAT: 103,
	NO_RESOURCE: 104,
	NAMESPACE_INVALID: 105,
	RESOURCE_PARSE_ERROR: 106,
	MISSING_ASSETS: 107,
	INVALID_POSE: 109,
} as const;

/** Something that has a name in the simulation. */
export interface Entity {
	readonly name: string;
	/** What it was made from, in words. */
	readonly description: string;
	readonly category: 'robot' | 'object';
	/** Row of the body that stands for it. */
	readonly body: number;
}

/** What is to be spawned. */
export interface SpawnRequest {
	readonly name: string;
	readonly uri: string;
	readonly text: string;
	/** [m, quaternion x y z w] */
	readonly pose: Float64Array;
}

/** What a simulation can do with entities. All of it is called between steps. */
export interface EntityHost {
	readonly model: Model;
	readonly state: State;
	/** What is there; the robot itself first. */
	entities(): readonly Entity[];
	/** Puts something into the simulation; gives the reason where it cannot. */
	spawn(request: SpawnRequest): Promise<{ readonly code: number; readonly reason: string } | undefined>;
	/** Takes something away that was spawned. */
	remove(name: string): Promise<void>;
	/** Bodies follow the coordinates of joints. */
	place(): void;
}

/** What of simulation_interfaces is here beyond time (`SimulatorFeatures`). */
export const ENTITY_FEATURES: readonly number[] = [0, 1, 8, 9, 10, 11, 12, 44, 50];

const CATEGORIES = { object: 0, robot: 1 } as const;

interface PoseMessage {
	readonly position: { readonly x: number; readonly y: number; readonly z: number };
	readonly orientation: { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
}

interface SpawnMessage {
	readonly name: string;
	readonly allow_renaming: boolean;
	readonly entity_resource: { readonly uri: string; readonly resource_string: string };
	readonly entity_namespace: string;
	readonly initial_pose: { readonly header: { readonly frame_id: string }; readonly pose: PoseMessage };
}

interface FilterMessage {
	readonly filters: {
		readonly filter: string;
		readonly categories: readonly { readonly category: number }[];
		readonly tags: { readonly tags: readonly string[] };
		readonly bounds: { readonly type: number };
	};
}

/** Answers what simulation_interfaces asks of entities. */
export class EntityServices {
	readonly #bus: RosBus;
	readonly #host: EntityHost;

	/** `node` is the name of the node with its namespace, `world` the file that is simulated. */
	constructor(bus: RosBus, host: EntityHost, control: SimulationControl, node: string, world: string) {
		this.#bus = bus;
		this.#host = host;
		const serve = <Q extends object>(
			name: string,
			type: string,
			answer: (request: Q) => object | Promise<object>,
		): void => {
			bus.serve<Q, object>({ name: `${node}/${name}`, type: `simulation_interfaces/srv/${type}` }, (request) =>
				control.between(async () => await answer(request)),
			);
		};
		serve<FilterMessage>('get_entities', 'GetEntities', (request) => {
			const chosen = this.#choose(request);
			return typeof chosen === 'string'
				? { result: failure(ResultCode.OPERATION_FAILED, chosen) }
				: { result: OK, entities: chosen.map(({ name }) => name) };
		});
		serve<FilterMessage>('get_entities_states', 'GetEntitiesStates', (request) => {
			const chosen = this.#choose(request);
			return typeof chosen === 'string'
				? { result: failure(ResultCode.OPERATION_FAILED, chosen) }
				: { result: OK, entities: chosen.map(({ name }) => name), states: chosen.map((one) => this.#stateOf(one)) };
		});
		serve<{ entity: string }>('get_entity_state', 'GetEntityState', ({ entity }) =>
			this.#with(entity, (one) => ({ result: OK, state: this.#stateOf(one) })),
		);
		serve<{ entity: string }>('get_entity_info', 'GetEntityInfo', ({ entity }) =>
			this.#with(entity, ({ category, description }) => ({
				result: OK,
				info: { category: { category: CATEGORIES[category] }, description },
			})),
		);
		serve<SetStateMessage>('set_entity_state', 'SetEntityState', (request) =>
			this.#with(request.entity, (one) => ({ result: this.#setState(one, request) })),
		);
		serve<SpawnMessage>('spawn_entity', 'SpawnEntity', (request) => this.#spawn(request));
		serve<{ spawn_requests: SpawnMessage[] }>('spawn_entities', 'SpawnEntities', async ({ spawn_requests: all }) => {
			const results: SpawnAnswer[] = [];
			for (const one of all) results.push(await this.#spawn(one));
			const failed = results.filter(({ result }) => result.result !== ResultCode.OK).length;
			return { result: failed === 0 ? OK : failure(SPAWN_FAILED, `${failed} of ${all.length} failed`), results };
		});
		serve<{ entity: string }>('delete_entity', 'DeleteEntity', ({ entity }) =>
			this.#with(entity, async (one) => {
				if (one.name === host.entities()[0]?.name)
					return { result: failure(ResultCode.OPERATION_FAILED, `'${entity}' is what is served and stays`) };
				await host.remove(entity);
				return { result: OK };
			}),
		);
		serve('get_current_world', 'GetCurrentWorld', () => ({
			result: OK,
			world: { name: world, world_resource: { uri: world } },
		}));
	}

	async #with(name: string, work: (entity: Entity) => object | Promise<object>): Promise<object> {
		const entity = this.#host.entities().find((one) => one.name === name);
		return entity === undefined
			? { result: failure(ResultCode.NOT_FOUND, `there is no entity '${name}'`) }
			: await work(entity);
	}

	/** Entities that pass filters; the reason when they make no sense. */
	#choose({ filters }: FilterMessage): Entity[] | string {
		const { filter, categories, tags, bounds } = filters;
		if (bounds.type !== 0) return 'filters by bounds are not supported';
		let pattern: RegExp;
		try {
			// the whole name, as POSIX expressions of the interface mean it
			pattern = new RegExp(filter === '' ? '' : `^(?:${filter})$`);
		} catch {
			return `the filter '${filter}' is not a regular expression`;
		}
		return this.#host.entities().filter(({ name, category }) => {
			const isKind = categories.length === 0 || categories.some((one) => one.category === CATEGORIES[category]);
			// nothing has tags
			return isKind && pattern.test(name) && tags.tags.length === 0;
		});
	}

	#stateOf({ body }: Entity): RosMessage {
		const { state, model } = this.#host;
		const [x, y, z, qx, qy, qz, qw] = [...state.bodyQ.subarray(7 * body, 7 * body + 7)] as Seven;
		const [vx, vy, vz, wx, wy, wz] = [...state.bodyQd.subarray(6 * body, 6 * body + 6)] as Six;
		// velocities are those of the centre of mass
		const [rx, ry, rz] = [...this.#arm(model, state, body)] as [number, number, number];
		return {
			header: { stamp: stampOf(this.#bus.time), frame_id: 'world' },
			pose: { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w: qw } },
			twist: {
				linear: { x: vx - (wy * rz - wz * ry), y: vy - (wz * rx - wx * rz), z: vz - (wx * ry - wy * rx) },
				angular: { x: wx, y: wy, z: wz },
			},
		};
	}

	/** From the origin of a body to its centre of mass, in world axes. */
	#arm(model: Model, state: State, body: number): Float64Array {
		return quatRotate(new Float64Array(3), state.bodyQ, model.bodyCom, 0, 7 * body + 3, 3 * body);
	}

	#setState({ name, body }: Entity, request: SetStateMessage): object {
		const { model, state } = this.#host;
		const joint = model.jointChild.indexOf(body);
		if (request.set_acceleration)
			return failure(ResultCode.UNSUPPORTED, 'accelerations follow from forces and cannot be set');
		if (joint < 0 || model.jointType[joint] !== JointType.FREE)
			return failure(ResultCode.OPERATION_FAILED, `'${name}' is fixed and cannot be placed`);
		const { pose, twist } = request.state;
		const wanted = request.set_pose ? poseOf(pose) : undefined;
		if (request.set_pose && wanted === undefined) return failure(INVALID_POSE, 'the pose is not one');
		if (wanted !== undefined) state.jointQ.set(wanted, model.jointQStart[joint]!);
		this.#host.place();
		if (request.set_twist) {
			const { linear, angular } = twist;
			const given = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
			if (!given.every(Number.isFinite)) return failure(INVALID_POSE, 'the velocity is not one');
			const [rx, ry, rz] = [...this.#arm(model, state, body)] as [number, number, number];
			const { x: wx, y: wy, z: wz } = angular;
			state.jointQd.set(
				[linear.x + wy * rz - wz * ry, linear.y + wz * rx - wx * rz, linear.z + wx * ry - wy * rx, wx, wy, wz],
				model.jointQdStart[joint]!,
			);
			this.#host.place();
		}
		return OK;
	}

	async #spawn(request: SpawnMessage): Promise<SpawnAnswer> {
		const refuse = (code: number, reason: string): SpawnAnswer => ({ result: failure(code, reason), entity_name: '' });
		const { entity_resource: resource, entity_namespace: namespace, initial_pose: at } = request;
		if (namespace !== '' && !/^\/?[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*$/.test(namespace))
			return refuse(SpawnCode.NAMESPACE_INVALID, `'${namespace}' is not a namespace`);
		const isRenamed = request.allow_renaming;
		if (!/^[\w-]+$/.test(request.name) && !(request.name === '' && isRenamed))
			return refuse(SpawnCode.NAME_INVALID, `'${request.name}' is not a name, expected letters, digits, - and _`);
		const taken = new Set(this.#host.entities().map(({ name }) => name));
		if (taken.has(request.name) && !isRenamed)
			return refuse(SpawnCode.NAME_NOT_UNIQUE, `there is an entity '${request.name}' already`);
		let name = request.name === '' ? 'entity' : request.name;
		for (let i = 1; taken.has(name); i++) name = `${request.name || 'entity'}_${i}`;
		const pose = poseOf(at.pose);
		if (pose === undefined) return refuse(SpawnCode.INVALID_POSE, 'the pose is not one');
		if (at.header.frame_id !== '' && at.header.frame_id !== 'world')
			return refuse(SpawnCode.INVALID_POSE, `the pose is given in '${at.header.frame_id}', expected 'world'`);
		const { uri, resource_string: text } = resource;
		if (uri === '' && text === '') return refuse(SpawnCode.NO_RESOURCE, 'neither uri nor resource_string is given');
		const problem = await this.#host.spawn({ name, uri, text, pose });
		return problem === undefined ? { result: OK, entity_name: name } : refuse(problem.code, problem.reason);
	}
}

interface SpawnAnswer {
	readonly result: { readonly result: number; readonly error_message: string };
	readonly entity_name: string;
}

type Six = [number, number, number, number, number, number];
type Seven = [number, number, number, number, number, number, number];

interface SetStateMessage {
	readonly entity: string;
	readonly state: {
		readonly pose: PoseMessage;
		readonly twist: { readonly linear: PoseMessage['position']; readonly angular: PoseMessage['position'] };
	};
	readonly set_pose: boolean;
	readonly set_twist: boolean;
	readonly set_acceleration: boolean;
}

const INVALID_POSE = 101;
const SPAWN_FAILED = 150;

/** Seven numbers of a pose; undefined for one that is none. A rotation of zeros means none. */
function poseOf({ position, orientation }: PoseMessage): Float64Array | undefined {
	const { x, y, z, w } = orientation;
	const length = Math.hypot(x, y, z, w);
	const pose = Float64Array.of(position.x, position.y, position.z, x, y, z, w);
	if (!pose.every(Number.isFinite)) return undefined;
	if (length === 0) pose[6] = 1;
	else if (Math.abs(length - 1) > 0.01) return undefined;
	else for (let i = 3; i < 7; i++) pose[i]! /= length;
	return pose;
}
