import { caseName } from '../../src/files.ts';
import { isObject } from '../../src/json.ts';
import { checkKeys, filesOfFormat, list } from '../sim-sap-problems/problem-file.ts';

export interface Pose {
	readonly position: readonly number[];
	readonly quaternion_xyzw: readonly number[];
}

export interface SceneShape {
	readonly name: string;
	readonly type: 'sphere' | 'box' | 'half_space';
	readonly pose: Pose;
	readonly mu: number;
	readonly k: number | 'inf';
	readonly tau: number;
	readonly radius?: number;
	readonly sides?: readonly number[];
}

export interface SceneBody {
	readonly name: string;
	readonly mass: number;
	readonly com: readonly number[];
	/** ixx iyy izz ixy ixz iyz */
	readonly inertia: readonly [number, number, number, number, number, number];
	readonly free: boolean;
	readonly pose?: Pose;
	/** Angular, then velocity of the origin. */
	readonly velocity?: readonly number[];
	readonly shapes: readonly SceneShape[];
}

export interface SceneJoint {
	readonly name: string;
	readonly type: 'revolute' | 'prismatic' | 'fixed';
	readonly parent: string;
	readonly child: string;
	readonly origin: Pose;
	readonly axis: readonly number[];
	readonly q: number;
	readonly v: number;
	readonly lower: number | string;
	readonly upper: number | string;
	readonly damping: number;
	readonly armature: number;
	readonly pd?: {
		readonly kp: number;
		readonly kd: number;
		readonly effort: number | 'inf';
		readonly q_target: number;
		readonly v_target: number;
	};
}

export type SceneConstraint =
	| {
			readonly type: 'coupler';
			readonly joint0: string;
			readonly joint1: string;
			readonly ratio: number;
			readonly offset: number;
	  }
	| {
			readonly type: 'ball';
			readonly body_a: string;
			readonly body_b: string;
			readonly point_a: readonly number[];
			readonly point_b: readonly number[];
	  }
	| {
			readonly type: 'distance';
			readonly body_a: string;
			readonly body_b: string;
			readonly point_a: readonly number[];
			readonly point_b: readonly number[];
			readonly distance: number;
			readonly k: number | 'inf';
			readonly c: number;
	  }
	| {
			readonly type: 'weld';
			readonly body_a: string;
			readonly body_b: string;
			readonly frame_a: Pose;
			readonly frame_b: Pose;
	  };

export interface Scene {
	readonly name: string;
	readonly dt: number;
	readonly steps: number;
	readonly gravity: readonly number[];
	readonly near_rigid: number;
	readonly world_shapes: readonly SceneShape[];
	readonly bodies: readonly SceneBody[];
	readonly joints: readonly SceneJoint[];
	readonly constraints: readonly SceneConstraint[];
	readonly pairs: readonly (readonly [string, string])[];
	readonly contacts_every: number;
}

export interface SceneContact {
	readonly a: string;
	readonly b: string;
	readonly point: readonly number[];
	readonly normal_ba: readonly number[];
	readonly depth: number;
	readonly force_on_b: readonly number[];
	readonly slip_speed: number;
	readonly separation_speed: number;
}

/** A run of Drake, format drake-sap/1. */
export interface Run {
	readonly scene: Scene;
	readonly free_bodies: Readonly<Record<string, readonly (readonly number[])[]>>;
	readonly joints: Readonly<Record<string, readonly (readonly [number, number])[]>>;
	readonly links_every_10: Readonly<Record<string, readonly (readonly number[])[]>>;
	readonly contacts: Readonly<Record<string, readonly SceneContact[]>>;
	readonly start_mass_matrix: readonly (readonly number[])[];
	readonly sensitivity: {
		readonly every: number;
		readonly rows: readonly (readonly [number, number])[];
		readonly start_change: number;
	};
}

/** Runs below a folder. */
export function* runsOf(dir: string): Generator<{ readonly name: string; readonly load: () => Run }> {
	for (const { path, json } of filesOfFormat(dir, 'drake-sap/1')) {
		// scene files without results share the folder
		if (!('free_bodies' in json)) continue;
		yield { name: caseName(dir, path), load: () => checkRun(json) };
	}
}

function checkRun(json: unknown): Run {
	const run = checkKeys(
		json,
		'the file',
		'contacts engine format free_bodies joints links_every_10 scene sensitivity start_mass_matrix',
	);
	const scene = checkKeys(
		run['scene'],
		'the scene',
		'bodies constraints contacts_every dt gravity joints name near_rigid note pairs steps world_shapes',
	);
	checkKeys(run['sensitivity'], 'sensitivity', 'every rows start_change');
	for (const body of list(scene['bodies'], 'bodies')) {
		const keys = checkKeys(body, 'a body', 'com free inertia mass name pose? shapes velocity?');
		for (const shape of list(keys['shapes'], 'shapes')) checkShape(shape);
	}
	for (const shape of list(scene['world_shapes'], 'world_shapes')) checkShape(shape);
	for (const joint of list(scene['joints'], 'joints')) {
		const keys = checkKeys(
			joint,
			'a joint',
			'armature? axis? child damping? lower? name origin parent pd? q? type upper? v?',
		);
		if (keys['pd'] !== undefined && keys['pd'] !== null) checkKeys(keys['pd'], 'pd', 'effort kd kp q_target v_target');
	}
	for (const constraint of list(scene['constraints'], 'constraints')) {
		const type = isObject(constraint) ? String(constraint['type']) : '';
		const keys = CONSTRAINTS[type];
		if (keys === undefined) throw new TypeError(`a constraint has the type '${type}'`);
		checkKeys(constraint, `a ${type}`, keys);
	}
	for (const contacts of Object.values(run['contacts'] as object)) {
		for (const contact of list(contacts, 'contacts')) {
			checkKeys(contact, 'a contact', 'a b depth force_on_b normal_ba point separation_speed slip_speed');
		}
	}
	return run as unknown as Run;
}

const CONSTRAINTS: Readonly<Record<string, string>> = {
	coupler: 'joint0 joint1 offset ratio type',
	ball: 'body_a body_b point_a point_b type',
	distance: 'body_a body_b c distance k point_a point_b type',
	weld: 'body_a body_b frame_a frame_b type',
};

function checkShape(value: unknown): void {
	checkKeys(value, 'a shape', 'k mu name pose radius? sides? tau type');
}
