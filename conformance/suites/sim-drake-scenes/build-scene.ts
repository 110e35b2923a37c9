import { type Control, type Model, ModelBuilder, type State } from '@manyworlds/model';
import { registerSapAttributes } from '@manyworlds/sim';
import { number } from '../sim-sap-problems/problem-file.ts';
import type { Pose, Scene, SceneBody, SceneJoint, SceneShape } from './scene-file.ts';

/** A scene as a model with its starting state, and where things are in it. */
export interface BuiltScene {
	readonly model: Model;
	readonly state: State;
	readonly control: Control;
	readonly bodies: ReadonlyMap<string, number>;
	readonly joints: ReadonlyMap<string, number>;
	/** Names BODY/SHAPE by shape. */
	readonly shapes: readonly string[];
}

/** Drake's limits are this stiff, and relax in one step. */
const LIMIT_STIFFNESS = 1e12;

/** Builds the model of a scene. */
export function buildScene(scene: Scene): BuiltScene {
	const builder = new ModelBuilder({ gravity: scene.gravity, rigidGap: 0 });
	registerSapAttributes(builder);
	const bodies = new Map<string, number>();
	const joints = new Map<string, number>();
	const shapes: string[] = [];
	const movers = new Map(scene.joints.map((joint) => [joint.child, joint]));
	const isRoot = (body: SceneBody): boolean => body.free || movers.get(body.name)?.parent === 'world';
	const byName = new Map(scene.bodies.map((body) => [body.name, body]));
	const addTree = (body: SceneBody, chain: number[]): void => {
		const index = addLink(builder, body);
		bodies.set(body.name, index);
		const mover = movers.get(body.name);
		const joint =
			mover === undefined
				? builder.addJointFree({ child: index, label: body.name })
				: addJoint(builder, mover, mover.parent === 'world' ? -1 : bodies.get(mover.parent)!, index, scene.dt);
		joints.set(mover?.name ?? body.name, joint);
		chain.push(joint);
		for (const next of scene.joints) if (next.parent === body.name) addTree(byName.get(next.child)!, chain);
	};
	for (const body of scene.bodies) {
		if (!isRoot(body)) continue;
		const chain: number[] = [];
		addTree(body, chain);
		builder.addArticulation(chain, { label: body.name });
	}
	for (const body of scene.bodies) {
		for (const shape of body.shapes) {
			addShape(builder, bodies.get(body.name)!, shape);
			shapes.push(`${body.name}/${shape.name}`);
		}
	}
	for (const shape of scene.world_shapes) {
		addShape(builder, -1, shape);
		shapes.push(`world/${shape.name}`);
	}
	filterOtherPairs(builder, scene, shapes);
	const distances = addConstraints(builder, scene, bodies, joints);
	const model = builder.finalize({ keepInertia: true });
	for (const [joint, k, c] of distances) {
		const dof = model.jointQdStart[joint]!;
		model.jointLimitKe[dof] = k;
		model.jointLimitKd[dof] = c;
	}
	const state = model.createState();
	const control = model.createControl();
	setStart(scene, model, state, control, bodies, joints);
	return { model, state, control, bodies, joints, shapes };
}

function addLink(builder: ModelBuilder, body: SceneBody): number {
	const [xx, yy, zz, xy, xz, yz] = body.inertia;
	return builder.addLink({
		label: body.name,
		mass: body.mass,
		com: body.com,
		inertia: [xx, xy, xz, xy, yy, yz, xz, yz, zz],
		lockInertia: true,
		...(body.pose && { xform: toXform(body.pose) }),
	});
}

function addJoint(builder: ModelBuilder, joint: SceneJoint, parent: number, child: number, dt: number): number {
	const shared = { parent, child, label: joint.name, parentXform: toXform(joint.origin) };
	if (joint.type === 'fixed') return builder.addJointFixed(shared);
	const options = {
		...shared,
		axis: joint.axis,
		limitLower: number(joint.lower),
		limitUpper: number(joint.upper),
		limitKe: LIMIT_STIFFNESS,
		limitKd: LIMIT_STIFFNESS * dt,
		damping: joint.damping,
		armature: joint.armature,
		...(joint.pd && {
			targetKe: joint.pd.kp,
			targetKd: joint.pd.kd,
			effortLimit: number(joint.pd.effort),
			targetVel: joint.pd.v_target,
		}),
	};
	return joint.type === 'revolute' ? builder.addJointRevolute(options) : builder.addJointPrismatic(options);
}

function addShape(builder: ModelBuilder, body: number, shape: SceneShape): void {
	const shared = {
		xform: toXform(shape.pose),
		config: { mu: shape.mu, ke: number(shape.k), density: 0, gap: 0, margin: 0 },
		attributes: { 'sap:tau': shape.tau },
		label: shape.name,
	};
	if (shape.type === 'sphere') builder.addShapeSphere(body, { ...shared, radius: shape.radius! });
	else if (shape.type === 'box')
		builder.addShapeBox(body, { ...shared, halfExtents: shape.sides!.map((side) => side / 2) });
	else builder.addShapePlane({ ...shared, body, width: 0, length: 0 });
}

/** Only the pairs that the scene names may touch. */
function filterOtherPairs(builder: ModelBuilder, scene: Scene, shapes: readonly string[]): void {
	const allowed = new Set(scene.pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
	for (let i = 0; i < shapes.length; i++) {
		for (let j = i + 1; j < shapes.length; j++) {
			if (!allowed.has(`${shapes[i]} ${shapes[j]}`)) builder.addCollisionFilterPair(i, j);
		}
	}
}

/** Adds loops; gives the distance joints with their stiffness and damping. */
function addConstraints(
	builder: ModelBuilder,
	scene: Scene,
	bodies: ReadonlyMap<string, number>,
	joints: ReadonlyMap<string, number>,
): [joint: number, k: number, c: number][] {
	const distances: [number, number, number][] = [];
	const bodyOf = (name: string): number => (name === 'world' ? -1 : bodies.get(name)!);
	for (const constraint of scene.constraints) {
		if (constraint.type === 'coupler') {
			builder.addConstraintMimic({
				joint0: joints.get(constraint.joint0)!,
				joint1: joints.get(constraint.joint1)!,
				coef0: constraint.offset,
				coef1: constraint.ratio,
			});
			continue;
		}
		const ends = { parent: bodyOf(constraint.body_a), child: bodyOf(constraint.body_b) };
		if (constraint.type === 'weld') {
			builder.addJointFixed({
				...ends,
				parentXform: toXform(constraint.frame_a),
				childXform: toXform(constraint.frame_b),
			});
			continue;
		}
		const points = { parentXform: { p: constraint.point_a }, childXform: { p: constraint.point_b } };
		if (constraint.type === 'ball') builder.addJointBall({ ...ends, ...points });
		else {
			const { distance, k, c } = constraint;
			const joint = builder.addJointDistance({ ...ends, ...points, minDistance: distance, maxDistance: distance });
			distances.push([joint, number(k), c]);
		}
	}
	return distances;
}

function setStart(
	scene: Scene,
	model: Model,
	state: State,
	control: Control,
	bodies: ReadonlyMap<string, number>,
	joints: ReadonlyMap<string, number>,
): void {
	for (const joint of scene.joints) {
		if (joint.type === 'fixed') continue;
		const index = joints.get(joint.name)!;
		state.jointQ[model.jointQStart[index]!] = joint.q;
		state.jointQd[model.jointQdStart[index]!] = joint.v;
		if (joint.pd) control.jointTargetQ[model.jointQStart[index]!] = joint.pd.q_target;
	}
	for (const body of scene.bodies) {
		if (!body.free) continue;
		const joint = joints.get(body.name)!;
		const index = bodies.get(body.name)!;
		state.jointQ.set([...body.pose!.position, ...body.pose!.quaternion_xyzw], model.jointQStart[joint]!);
		const [wx, wy, wz, vx, vy, vz] = body.velocity as readonly [number, number, number, number, number, number];
		// joint velocities of the model are those of the centre of mass, linear first
		const r = rotate(body.pose!.quaternion_xyzw, model.bodyCom.subarray(3 * index, 3 * index + 3));
		state.jointQd.set(
			[vx + wy * r[2]! - wz * r[1]!, vy + wz * r[0]! - wx * r[2]!, vz + wx * r[1]! - wy * r[0]!, wx, wy, wz],
			model.jointQdStart[joint]!,
		);
	}
}

/** A vector turned by a quaternion x y z w. */
export function rotate(q: ArrayLike<number>, v: ArrayLike<number>): number[] {
	const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
	const c = [y * v[2]! - z * v[1]!, z * v[0]! - x * v[2]!, x * v[1]! - y * v[0]!] as const;
	return [
		v[0]! + 2 * (w * c[0] + y * c[2] - z * c[1]),
		v[1]! + 2 * (w * c[1] + z * c[0] - x * c[2]),
		v[2]! + 2 * (w * c[2] + x * c[1] - y * c[0]),
	];
}

function toXform(pose: Pose): { p: readonly number[]; q: readonly number[] } {
	return { p: pose.position, q: pose.quaternion_xyzw };
}
