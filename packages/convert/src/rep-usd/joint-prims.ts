import { ListOp, type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionJoint, ConversionModel, JointFreedom, SourceFormat } from '../model/conversion-model.ts';
import { compose, identityPose } from '../model/pose.ts';
import { axisFrame, compoundFrame, DOFS, type DofToken } from './joint-frames.ts';
import { type LayerBuilder, upright } from './layer-builder.ts';
import { primName } from './prim-names.ts';
import type { PlacedJoint, StageLayout } from './stage-layout.ts';

const DEGREES = 180 / Math.PI;

/** A degree of freedom on the stage: the joint prim that has it, and the word for it in drives and limits. */
export interface PlacedFreedom {
	readonly joint: Path;
	readonly dof: 'angular' | 'linear' | DofToken;
	readonly freedom: JointFreedom;
}

/** Writes joints as prims of UsdPhysics: frames at both ends, axis, limits, drives. */
export class JointPrims {
	/** Every degree of freedom that was written. */
	readonly freedoms: PlacedFreedom[] = [];
	/** What ROS calls joints that stand for one freedom of several. */
	readonly names: Map<Path, string> = new Map();
	/** Bodies that a joint of a tree holds; -1 for the world. Those that only loops hold are no links of a robot. */
	readonly joined: Set<number> = new Set();
	readonly #physics: LayerBuilder;
	readonly #layout: StageLayout;
	readonly #ledger: ConversionLedger;
	#format: SourceFormat | undefined;

	constructor(physics: LayerBuilder, layout: StageLayout, ledger: ConversionLedger) {
		this.#physics = physics;
		this.#layout = layout;
		this.#ledger = ledger;
	}

	write({ joints, loops, bodies, format }: ConversionModel): void {
		this.#format = format;
		const layout = this.#layout;
		for (const [index, joint] of joints.entries()) {
			const isInside = joint.parent >= 0 && layout.carrierOf(joint.parent) === layout.carrierOf(joint.child);
			const isStatic = layout.roles[layout.carrierOf(joint.child)]!.kind === 'static';
			// links that are frames on one body are held by nothing else, and what moves freely by nothing at all
			if (isInside || isStatic || joint.kind === 'floating') continue;
			for (const body of [joint.parent, joint.child]) this.joined.add(body < 0 ? body : layout.carrierOf(body));
			this.#writeJoint(
				layout.joints[index]!,
				joint,
				() => {
					const message = `'${joint.name}' moves about axes that are no frame; it is written as several joints between two links`;
					this.#ledger.approximate('joint', index, 'joint-kind', message);
				},
				(freedoms) => this.#tellNames(layout.joints[index]!.path, index, freedoms),
			);
		}
		for (const [index, joint] of loops.entries()) {
			const placed = layout.loops[index]!;
			this.#writeJoint(placed, joint, () => {
				const message = `'${joint.name}' closes a loop in a way that no joint of UsdPhysics has`;
				this.#ledger.approximate('loop', index, 'joint-kind', message);
			});
			if (!this.#physics.layer.has(placed.path)) continue;
			this.#physics.uniform(placed.path, 'physics:excludeFromArticulation', T.bool, true);
		}
		for (const [body, placed] of layout.anchors) {
			this.joined.add(body);
			this.#writeJoint(placed, {
				name: placed.path.name,
				kind: 'fixed',
				parent: -1,
				child: body,
				parentFrame: bodies[body]!.pose,
				childFrame: identityPose(),
				freedoms: [],
				from: bodies[body]!.from,
			});
		}
	}

	#writeJoint(
		{ path, displayName }: PlacedJoint,
		joint: ConversionJoint,
		tellSplit: () => void = () => {},
		tellNames: (freedoms: ReadonlyMap<DofToken, JointFreedom>) => void = () => {},
	): void {
		if (joint.kind === 'compound' || joint.kind === 'planar') {
			// a stage that has several joints between two bodies keeps them, and their names
			const isStacked = this.#format === 'usd' && joint.freedoms.every(({ name }) => name !== undefined);
			const compound = isStacked ? undefined : compoundFrame(joint);
			if (compound !== undefined) {
				this.#define(path, 'PhysicsJoint', joint, compound.turn, displayName);
				this.#writeCompound(path, compound.freedoms);
				tellNames(compound.freedoms);
				return;
			}
			tellSplit();
			this.#writeSeveral(path, joint);
			return;
		}
		const freedom = joint.freedoms[0];
		if (freedom === undefined) {
			this.#define(
				path,
				joint.kind === 'spherical' ? 'PhysicsSphericalJoint' : 'PhysicsFixedJoint',
				joint,
				undefined,
				displayName,
			);
			if (joint.kind === 'spherical' && joint.cone !== undefined) {
				this.#physics.uniform(path, 'physics:axis', T.token, 'X');
				this.#number(path, 'physics:coneAngle0Limit', joint.cone * DEGREES);
				this.#number(path, 'physics:coneAngle1Limit', joint.cone * DEGREES);
			}
			return;
		}
		this.#writeSingle(path, joint, freedom, displayName);
	}

	#writeSingle(path: Path, joint: ConversionJoint, freedom: JointFreedom, displayName: string | undefined): void {
		const isTurn = freedom.motion === 'turn';
		const { token, turn } = axisFrame(freedom.axis);
		this.#define(path, isTurn ? 'PhysicsRevoluteJoint' : 'PhysicsPrismaticJoint', joint, turn, displayName);
		this.#physics.uniform(path, 'physics:axis', T.token, token);
		const scale = isTurn ? DEGREES : 1;
		this.#number(path, 'physics:lowerLimit', freedom.lower * scale);
		this.#number(path, 'physics:upperLimit', freedom.upper * scale);
		this.#writeDrive({ joint: path, dof: isTurn ? 'angular' : 'linear', freedom });
	}

	/** Axes that are not free have a limit that nothing can be within, which is how UsdPhysics says locked. */
	#writeCompound(path: Path, freedoms: ReadonlyMap<DofToken, JointFreedom>): void {
		for (const dof of DOFS) {
			const freedom = freedoms.get(dof);
			const isFree =
				freedom !== undefined && freedom.lower === -freedom.upper && freedom.upper === Number.POSITIVE_INFINITY;
			if (!isFree) {
				const scale = freedom?.motion === 'turn' ? DEGREES : 1;
				this.#applyTo(path, `PhysicsLimitAPI:${dof}`);
				this.#number(path, `limit:${dof}:physics:high`, freedom === undefined ? -1 : freedom.upper * scale);
				this.#number(path, `limit:${dof}:physics:low`, freedom === undefined ? 1 : freedom.lower * scale);
			}
			if (freedom !== undefined) this.#writeDrive({ joint: path, dof, freedom });
		}
	}

	/** Keeps the names of joints that became freedoms of one: no property has a place for them. */
	#tellNames(path: Path, index: number, freedoms: ReadonlyMap<DofToken, JointFreedom>): void {
		const named = [...freedoms].flatMap(([dof, { name }]) => (name === undefined ? [] : [[dof, name] as const]));
		if (named.length === 0) return;
		const physics = this.#physics;
		const names = physics.dictionary(Object.fromEntries(named));
		physics.field(path, 'customData', T.dictionary, physics.dictionary({ freedoms: names }));
		const list = named.map(([dof, name]) => `'${name}' (${dof})`).join(', ');
		this.#ledger.approximate('joint', index, 'joint-kind', `${list} are freedoms of one joint, '${path.name}'`);
	}

	/** One joint for each freedom between the same two bodies, in the order in which they act. */
	#writeSeveral(path: Path, joint: ConversionJoint): void {
		for (const [k, freedom] of joint.freedoms.entries()) {
			const own = freedom.name === undefined ? undefined : path.parent!.appendChild(primName(freedom.name, 'joint'));
			const isFree = own !== undefined && !this.#physics.layer.has(own) && !this.#layout.isTaken(own);
			const name = isFree ? own.name : k === 0 ? path.name : `${path.name}_${k}`;
			if (freedom.name !== undefined) this.names.set(path.parent!.appendChild(name), freedom.name);
			const single = {
				...joint,
				freedoms: [freedom],
				kind: freedom.motion === 'turn' ? 'revolute' : 'prismatic',
			} as const;
			this.#writeSingle(path.parent!.appendChild(name), single, freedom, undefined);
		}
	}

	#define(
		path: Path,
		typeName: string,
		{ parent, child, parentFrame, childFrame }: ConversionJoint,
		turn: Float64Array | undefined,
		displayName: string | undefined,
	): void {
		const physics = this.#physics;
		const layout = this.#layout;
		physics.define(path, typeName);
		if (displayName !== undefined) physics.field(path, 'displayName', T.string, displayName);
		const ends = [parent, child].map((body) => layout.bodyPath(body));
		const frames = [parentFrame, childFrame].map((frame, k) => {
			const own = layout.onCarrier(k === 0 ? parent : child, frame);
			return turn === undefined ? own : compose(own, turn);
		});
		// what never moves is the world to a joint that holds something fast (REP 1.3)
		const isStatic =
			typeName === 'PhysicsFixedJoint' && parent >= 0 && layout.roles[layout.carrierOf(parent)]!.kind === 'static';
		if (isStatic) {
			ends[0] = undefined;
			frames[0] = compose(layout.roles[layout.carrierOf(parent)]!.pose, frames[0]!);
		}
		for (const [k, end] of ends.entries()) if (end !== undefined) physics.relationship(path, `physics:body${k}`, [end]);
		for (const [k, frame] of frames.entries()) {
			const position = Float32Array.from(frame.subarray(0, 3), (value) => value + 0);
			physics.attribute(path, `physics:localPos${k}`, T.float3, position, { typeName: 'point3f' });
		}
		for (const [k, frame] of frames.entries()) {
			const rotation = Float32Array.from(upright(frame.slice(3, 7)));
			physics.attribute(path, `physics:localRot${k}`, T.quatf, rotation);
		}
	}

	/** A drive, or the most force alone, which has no other place (REP 1.3). */
	#writeDrive(placed: PlacedFreedom): void {
		this.freedoms.push(placed);
		const { joint, dof, freedom } = placed;
		const { drive, effort } = freedom;
		if (drive === undefined && effort === undefined) return;
		const isTurn = freedom.motion === 'turn';
		const [gain, target] = isTurn ? [1 / DEGREES, DEGREES] : [1, 1];
		const set = (name: string, value: number): void => this.#number(joint, `drive:${dof}:physics:${name}`, value);
		this.#applyTo(joint, `PhysicsDriveAPI:${dof}`);
		set('damping', (drive?.damping ?? 0) * gain);
		if (effort !== undefined) set('maxForce', effort);
		set('stiffness', (drive?.stiffness ?? 0) * gain);
		if (drive !== undefined && drive.stiffness > 0) set('targetPosition', drive.position * target);
		if (drive !== undefined && drive.velocity !== 0) set('targetVelocity', drive.velocity * target);
		this.#physics.uniform(joint, `drive:${dof}:physics:type`, T.token, 'force');
	}

	#applyTo(path: Path, schema: string): void {
		const op = this.#physics.layer.field(path, 'apiSchemas')?.data;
		const known = op instanceof ListOp ? (op.prependedItems as string[]) : [];
		this.#physics.apply(path, [...known, schema]);
	}

	#number(path: Path, name: string, value: number): void {
		this.#physics.attribute(path, name, T.float, Math.fround(value) + 0);
	}
}
