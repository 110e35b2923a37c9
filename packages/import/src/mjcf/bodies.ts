import { quote } from '@manyworlds/core';
import { quatRotate, transformInvert } from '@manyworlds/core/internal';
import type { MjcfElement } from '@manyworlds/formats';
import { MAIN_CLASS, mjcfEulerQuaternion } from '@manyworlds/formats/internal';
import type { MassProperties } from '@manyworlds/mesh';
import { type AttributeAssignments, type JointAxisConfig, WORLD } from '@manyworlds/model';
import { type AttributeValue, keepMujocoWritten } from '@manyworlds/model/internal';
import { addRootJoint } from '../attach-root.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { rowOf } from '../row-of.ts';
import type { Attributes } from './attributes.ts';
import { composed, identity, type MjcfContext, plainName } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';
import type { GeomImporter, GeomPlacement } from './geoms.ts';
import { readInertial, setBodyMass, sumMasses } from './inertials.ts';
import { type BodyJoints, readJoints } from './joints.ts';
import { addSites } from './sites.ts';
import { keepWritten } from './written-attributes.ts';

/** What elements inside a body or frame inherit. */
interface Surroundings {
	/** Body that they belong to. */
	readonly body: number;
	readonly ambient: string;
	/** Pose of the frame around them in the world. */
	readonly world: Float64Array;
	/** Pose of the frame in the body; in the world for the world. */
	readonly local: Float64Array | undefined;
	readonly labelPrefix: string;
	/** Name that unnamed geoms and sites are called after. */
	readonly bodyName: string;
	/** Whether bodies inside are roots of the model. */
	readonly isRoot: boolean;
	readonly weighs: boolean;
	/** Masses of the geoms of the body. */
	readonly masses: MassProperties[];
}

/** Walks the bodies of a model and adds them with their joints, geoms and sites. */
export class BodyImporter {
	readonly #context: MjcfContext;
	readonly #geoms: GeomImporter;

	constructor(context: MjcfContext, geoms: GeomImporter) {
		this.#context = context;
		this.#geoms = geoms;
	}

	/** Imports one `worldbody`. */
	addWorldbody(world: MjcfElement): void {
		const context = this.#context;
		const { builder, options, document, xform } = context;
		const { parentBody } = options;
		const named = world.get('class');
		const ambient = named !== undefined && document.defaults.has(named) ? named : context.childClass(world, MAIN_CLASS);
		const parentPose = parentBody === WORLD ? undefined : rowOf(builder.column('bodyQ'), 7, parentBody);
		const effective = parentPose === undefined ? xform : composed(parentPose, xform);
		const labelPrefix = document.modelName ? `${document.modelName}/worldbody` : 'worldbody';
		const around: Surroundings = {
			// geoms of the model's world move with the body that carries it; Newton leaves them in the world
			body: options.newtonCompat ? WORLD : parentBody,
			ambient,
			world: effective,
			local: xform,
			labelPrefix,
			bodyName: 'world',
			isRoot: true,
			weighs: false,
			masses: [],
		};
		if (options.newtonCompat) {
			for (const body of world.childrenNamed('body')) this.#root(body, around);
			this.#content(world, around);
			this.#frames(world, { ...around, body: parentBody, local: effective });
		} else {
			this.#content(world, around);
			this.#inOrder(world, around);
		}
	}

	/** Bodies and frames as the document has them: the order of MuJoCo. */
	#inOrder(element: MjcfElement, around: Surroundings): void {
		for (const child of element.children) {
			if (child.name === 'body') {
				if (around.isRoot) this.#root(child, around);
				else this.#body(child, around);
			} else if (child.name === 'frame' || child.name === 'replicate') {
				const inner = this.#enter(child, around);
				this.#content(child, inner);
				this.#inOrder(child, inner);
			}
		}
	}

	/** Newton's order: bodies first, then frames, of which the last is the first. */
	#frames(element: MjcfElement, around: Surroundings): void {
		const stack = element.childrenNamed('frame').map((frame) => ({ frame, around }));
		for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
			const inner = this.#enter(item.frame, item.around);
			for (const body of item.frame.childrenNamed('body')) {
				if (inner.isRoot) this.#root(body, inner);
				else this.#body(body, inner);
			}
			this.#content(item.frame, inner);
			for (const frame of item.frame.childrenNamed('frame').reverse()) stack.push({ frame, around: inner });
		}
	}

	#enter(frame: MjcfElement, around: Surroundings): Surroundings {
		const context = this.#context;
		const attributes = context.attributes(frame, around.ambient);
		const pose = frame.name === 'replicate' ? this.#copyPose(frame, attributes) : attributes.pose();
		attributes.text('name');
		const label = around.body === WORLD ? 'world' : context.builder.labels('body')[around.body]!;
		return {
			...around,
			ambient: context.childClass(frame, around.ambient),
			world: composed(around.world, pose),
			local: around.local === undefined ? pose : composed(around.local, pose),
			bodyName: label,
		};
	}

	/** Pose of one copy of a replication: offsets and turns of all before it, one after the other. */
	#copyPose(frame: MjcfElement, attributes: Attributes): Float64Array {
		for (const name of ['count', 'sep', 'childclass']) attributes.text(name);
		const { compiler } = this.#context.document;
		const euler = attributes.numbers('euler', { least: 3, most: 3 }) ?? new Float64Array(3);
		const offset = (attributes.numbers('offset', { least: 3, most: 3 }) ?? new Float64Array(3)).map(
			(x) => x * this.#context.options.scale,
		);
		const toRadian = compiler.degree ? Math.PI / 180 : 1;
		const turn = (times: number): Float64Array =>
			mjcfEulerQuaternion(
				euler.map((angle) => angle * times * toRadian),
				compiler.eulerSequence,
			);
		const pose = identity();
		const step = new Float64Array(3);
		for (let i = 0; i < frame.copyIndex; i++) {
			quatRotate(step, turn(i), offset);
			for (let k = 0; k < 3; k++) pose[k] = pose[k]! + step[k]!;
		}
		pose.set(turn(frame.copyIndex), 3);
		return pose;
	}

	/** Geoms and sites directly inside an element. */
	#content(element: MjcfElement, around: Surroundings): void {
		const placement: GeomPlacement = {
			body: around.body,
			bodyName: around.bodyName,
			labelPrefix: around.labelPrefix,
			frame: around.local,
			ambient: around.ambient,
			weighs: around.weighs,
		};
		const { body, ambient, local: frame } = around;
		this.#context.sources.containers.set(element, { body, ambient, frame });
		const geoms = element.childrenNamed('geom');
		if (geoms.length > 0) around.masses.push(...this.#geoms.add(geoms, placement));
		const sites = element.childrenNamed('site');
		if (sites.length > 0) addSites(this.#context, sites, placement);
	}

	#root(body: MjcfElement, around: Surroundings): void {
		const name = plainName(body.ownName ?? `body_${this.#context.builder.bodyCount}`);
		this.#context.roots.push({ start: this.#context.jointIndices.length, name });
		this.#body(body, around);
	}

	#body(element: MjcfElement, around: Surroundings): void {
		const context = this.#context;
		const { builder, options } = context;
		const className = element.get('class') ?? element.get('childclass');
		const ambient = this.#classOf(element, around.ambient);
		const attributes = context.attributes(element, ambient);
		if (className !== undefined && context.matches(options.ignoreClasses, className)) {
			attributes.ignoreAll('the option ignoreClasses leaves it out, with everything in it');
			return;
		}
		const name = plainName(attributes.text('name') ?? `body_${builder.bodyCount}`);
		const label = around.labelPrefix === '' ? name : `${around.labelPrefix}/${name}`;
		const inertial = element.child('inertial');
		const weighs = this.#infersMass(element, inertial, name);
		const pose = attributes.pose();
		const isReplaced = options.overrideRootXform && around.isRoot;
		const world = isReplaced ? around.world : composed(around.world, pose);
		const joints = readJoints(context, element.childrenNamed('joint', 'freejoint'), name, ambient);
		const custom = readCustomAttributes(context, attributes, 'body');
		const isMocap = attributes.word('mocap') === 'true';
		// a body without mass stands between two groups of joints; options that hold the root replace all of them
		const between = around.isRoot && this.#isHeld ? [] : joints.slice(0, -1);
		const inserted = between.map(({ names }) =>
			builder.addLink({ xform: world, label: `${label}/${names.join('_')}_link` }),
		);
		const body = builder.addLink({
			xform: world,
			label,
			isKinematic: isMocap && around.isRoot && options.parentBody === WORLD && !options.newtonCompat,
			attributes: Object.fromEntries(custom),
		});
		context.sources.bodies.set(body, element);
		if (context.bodies.has(name)) {
			context.fault('MJCF017', `there are two bodies ${quote(name)}; references mean the first`, element);
			if (options.newtonCompat) context.bodies.set(name, body);
		} else context.bodies.set(name, body);
		for (const link of inserted) context.insertedBodies.set(link, body);
		const carrier = around.isRoot ? options.parentBody : around.body;
		context.welds.add(body, carrier, isMocap || this.#isMoved(joints, around.isRoot));
		for (const link of inserted) context.welds.add(link, body, false);
		if (around.isRoot && this.#isHeld) {
			for (const { attributes: own } of joints.flatMap(({ parts }) => parts))
				own.ignoreAll('options of the import replace the joint of the root');
		}
		const bodies = [...inserted, body];
		for (const [i, link] of bodies.entries()) {
			const isFirst = i === 0;
			this.#joint(element, joints[i]!, {
				body: link,
				name,
				label,
				world,
				relative: !isFirst
					? identity()
					: around.isRoot || options.newtonCompat
						? undefined
						: composed(around.local ?? identity(), pose),
				isRoot: around.isRoot && isFirst,
				parent: !isFirst ? bodies[i - 1]! : around.isRoot ? options.parentBody : around.body,
			});
		}

		const inside: Surroundings = {
			body,
			ambient,
			world,
			local: undefined,
			labelPrefix: label,
			bodyName: name,
			isRoot: false,
			weighs,
			masses: [],
		};
		this.#content(element, inside);
		const given = weighs || inertial === undefined ? undefined : readInertial(context, inertial, ambient, label);
		if (given !== undefined) setBodyMass(context, body, given, true);
		else if (inertial !== undefined && weighs) {
			context.attributes(inertial, ambient).ignoreAll('masses come from the geoms');
		}
		if (options.newtonCompat) {
			for (const child of element.childrenNamed('body')) this.#body(child, inside);
			this.#frames(element, { ...inside, local: identity() });
		} else this.#inOrder(element, inside);
		const total = given === undefined ? sumMasses(inside.masses) : undefined;
		if (total !== undefined) setBodyMass(context, body, total, false);
		else if (weighs && inertial !== undefined && !options.newtonCompat && !options.ignoreInertialDefinitions) {
			// without a geom that weighs MuJoCo keeps what the element says
			const kept = readInertial(context, inertial, ambient, label);
			if (kept !== undefined) setBodyMass(context, body, kept, true);
		}
	}

	/** The class of a body: its own, that of its children, or the one around it. */
	#classOf(element: MjcfElement, ambient: string): string {
		const named = element.get('class');
		if (named !== undefined && this.#context.document.defaults.has(named)) return named;
		return this.#context.childClass(element, ambient);
	}

	/** Whether the mass of a body comes from its geoms. */
	#infersMass(element: MjcfElement, inertial: MjcfElement | undefined, name: string): boolean {
		const { ignoreInertialDefinitions } = this.#context.options;
		const { inertiaFromGeom } = this.#context.document.compiler;
		const moves = element.child('joint') !== undefined || element.child('freejoint') !== undefined;
		if (inertiaFromGeom === 'false' && !ignoreInertialDefinitions && moves && inertial === undefined) {
			const message = `body ${quote(name)} has no inertial element, expected one with inertiafromgeom="false"`;
			this.#context.fault('MJCF020', message, element);
		}
		if (ignoreInertialDefinitions || inertiaFromGeom === 'true') return true;
		return inertiaFromGeom === 'auto' && inertial === undefined;
	}

	#joint(
		element: MjcfElement,
		joints: BodyJoints,
		at: {
			readonly body: number;
			readonly name: string;
			readonly label: string;
			readonly world: Float64Array;
			/** Pose in the parent as the document has it; undefined where only that in the world is known. */
			readonly relative: Float64Array | undefined;
			readonly isRoot: boolean;
			readonly parent: number;
		},
	): void {
		const context = this.#context;
		const relative = at.relative ?? relativePose(context, at.parent, at.world);
		const anchor = composed(relative, placeOf(joints.position));
		if (at.isRoot && this.#isHeld) {
			context.jointIndices.push(this.#heldRoot(at.body, at.label, anchor, at.parent));
			return;
		}
		const names = joints.names.length === 0 ? [`${at.name}_joint`] : joints.names;
		const label = `${at.label}/${names.join('_')}`;
		let kind = joints.kind;
		if (kind === 'free' && at.parent !== WORLD) {
			const message = `body ${quote(at.name)} has a free joint below another body, expected one only in the worldbody`;
			context.fault('MJCF011', message, element);
			kind = 'fixed';
		}
		const filters = context.options.newtonCompat || kind === 'fixed' || context.welds.filtersJoint(at.parent);
		const common = {
			parent: at.parent,
			child: at.body,
			label,
			parentXform: anchor,
			childXform: placeOf(joints.position),
			...(filters ? {} : { collisionFilterParent: false }),
		};
		const joint = this.#addJoint(kind, joints, common);
		context.jointIndices.push(joint);
		context.sources.joints.set(joint, joints.parts[0]?.attributes.element ?? element);
		if (kind !== 'fixed') this.#register(joints, joint);
	}

	/** Whether a body moves in what carries it. */
	#isMoved(joints: readonly BodyJoints[], isRoot: boolean): boolean {
		if (!isRoot || !this.#isHeld) return joints.some(({ kind }) => kind !== 'fixed');
		const { baseJoint, floating, parentBody } = this.#context.options;
		return baseJoint === undefined ? floating === true && parentBody === WORLD : baseJoint.type !== 'fixed';
	}

	/** Whether options of the import replace the joints of root bodies. */
	get #isHeld(): boolean {
		const { baseJoint, floating, parentBody } = this.#context.options;
		return baseJoint !== undefined || floating !== undefined || parentBody !== WORLD;
	}

	#heldRoot(body: number, label: string, anchor: Float64Array, parent: number): number {
		const { builder, options } = this.#context;
		const hold = { parentBody: parent, ...(options.baseJoint === undefined ? {} : { baseJoint: options.baseJoint }) };
		if (options.baseJoint !== undefined) {
			// without an exact place the rotation goes to the child, so that the axes stay those of the world
			const parts = options.overrideRootXform
				? { parentXform: anchor, childXform: identity() }
				: { parentXform: placeOf(anchor.subarray(0, 3)), childXform: turnedBack(anchor) };
			return addRootJoint(builder, { child: body, label: `${label}/base_joint`, ...parts }, hold, false);
		}
		const isFloating = options.floating === true && parent === WORLD;
		const name = `${label}/${isFloating ? 'floating_base' : 'fixed_base'}`;
		return addRootJoint(builder, { child: body, label: name, parentXform: anchor }, hold, isFloating);
	}

	#addJoint(
		kind: BodyJoints['kind'],
		joints: BodyJoints,
		common: {
			readonly parent: number;
			readonly child: number;
			readonly label: string;
			readonly parentXform: Float64Array;
			readonly childXform: Float64Array;
		},
	): number {
		const { builder, options } = this.#context;
		// a six-axis joint takes three of each kind; only Newton's reading gives it more
		const linear = joints.parts.filter(({ type }) => type === 'slide').slice(0, 3);
		const angular = joints.parts.filter(({ type }) => type === 'hinge').slice(0, 3);
		const attributes = dofAttributes(joints, [...linear, ...angular], options.newtonCompat);
		const joint = { ...common, attributes };
		if (kind === 'free') return this.#freeJoint(joints, common.child, common.label);
		if (kind === 'ball') return this.#ballJoint(joints, joint);
		if (kind === 'fixed') return builder.addJointFixed({ ...common, attributes: Object.fromEntries(joints.custom) });
		const axes = (list: typeof linear): JointAxisConfig[] => list.map(({ axis }) => axis!);
		if (linear.length === 0 && angular.length === 1)
			return builder.addJointRevolute({ ...axes(angular)[0]!, ...joint });
		if (linear.length === 1 && angular.length === 0)
			return builder.addJointPrismatic({ ...axes(linear)[0]!, ...joint });
		if (linear.length === 0 && angular.length === 3 && options.convert3dHingeToBallJoints) {
			return this.#ballOfHinges(axes(angular), joint);
		}
		this.#warnOfOrder(joints);
		return builder.addJointD6({
			...joint,
			linearAxes: axes(linear),
			angularAxes: axes(angular),
		});
	}

	#freeJoint(joints: BodyJoints, child: number, label: string): number {
		const { builder, options } = this.#context;
		const joint = builder.addJointFree({ child, label, attributes: Object.fromEntries(joints.custom) });
		const { attributes } = joints.parts[0]!;
		if (options.newtonCompat) return joint;
		const start = builder.column('jointQdStart')[joint]!;
		const fill = (name: 'jointDamping' | 'jointArmature' | 'jointFriction', value: number): void => {
			builder.column(name).fill(value, start, start + 6);
		};
		if (attributes.has('damping')) fill('jointDamping', attributes.number('damping', 0));
		if (attributes.has('armature')) fill('jointArmature', attributes.number('armature', 0) * options.armatureScale);
		if (attributes.has('frictionloss')) fill('jointFriction', attributes.number('frictionloss', 0));
		return joint;
	}

	#ballJoint(joints: BodyJoints, joint: Parameters<MjcfContext['builder']['addJointBall']>[0]): number {
		const { builder, options } = this.#context;
		const { attributes } = joints.parts[0]!;
		const defaults = builder.defaultJointConfig;
		return builder.addJointBall({
			...joint,
			armature: attributes.number('armature', defaults.armature) * options.armatureScale,
			friction: attributes.number('frictionloss', 0),
			damping: attributes.number('damping', defaults.damping),
		});
	}

	/** Three hinges as a ball joint whose degrees of freedom keep their limits, gains and passive forces. */
	#ballOfHinges(
		axes: readonly JointAxisConfig[],
		options: Parameters<MjcfContext['builder']['addJointBall']>[0],
	): number {
		const { builder } = this.#context;
		const joint = builder.addJointBall(options);
		const start = builder.column('jointQdStart')[joint]!;
		for (const [i, axis] of axes.entries()) {
			const dof = start + i;
			builder.column('jointAxis').set(toUnit(axis.axis as Float64Array), 3 * dof);
			builder.column('jointLimitLower')[dof] = axis.limitLower;
			builder.column('jointLimitUpper')[dof] = axis.limitUpper;
			builder.column('jointLimitKe')[dof] = axis.limitKe;
			builder.column('jointLimitKd')[dof] = axis.limitKd;
			builder.column('jointTargetKe')[dof] = axis.targetKe;
			builder.column('jointTargetKd')[dof] = axis.targetKd;
			builder.column('jointDamping')[dof] = axis.damping;
			builder.column('jointArmature')[dof] = axis.armature;
			builder.column('jointFriction')[dof] = axis.friction;
			builder.column('jointEffortLimit')[dof] = axis.effortLimit;
			builder.column('jointVelocityLimit')[dof] = axis.velocityLimit;
		}
		return joint;
	}

	/** MuJoCo applies joints in the order of the document, a six-axis joint its linear axes first. */
	#warnOfOrder(joints: BodyJoints): void {
		const firstHinge = joints.parts.findIndex(({ type }) => type === 'hinge');
		const late = joints.parts.find(({ type }, i) => type === 'slide' && firstHinge >= 0 && i > firstHinge);
		if (late !== undefined) {
			const message = `the slide joint ${quote(late.name)} comes after a hinge; the joint of the body slides first`;
			this.#context.report.add(createDiagnostic('MJCF018', message, late.attributes.element.location));
		}
		const beyond = joints.parts.length > 6 || joints.parts.filter(({ type }) => type === 'hinge').length > 3;
		if (beyond) {
			const message = `the body has ${joints.parts.length} joints, of which a six-axis joint takes three of each kind`;
			this.#context.report.add(createDiagnostic('MJCF018', message, joints.parts[0]!.attributes.element.location));
		}
	}

	/** Makes joints known by their names, with the coordinates that they have. */
	#register(joints: BodyJoints, joint: number): void {
		const context = this.#context;
		const { builder } = context;
		const dofStart = builder.column('jointQdStart')[joint]!;
		const coordinateStart = builder.column('jointQStart')[joint]!;
		const linear = joints.parts.filter(({ type }) => type === 'slide').length;
		let slides = 0;
		let hinges = 0;
		for (const [i, part] of joints.parts.entries()) {
			const offset = part.type === 'slide' ? slides++ : part.type === 'hinge' ? linear + hinges++ : 0;
			const shift = context.options.newtonCompat ? i : offset;
			const isScalar = part.type === 'slide' || part.type === 'hinge';
			const entry = {
				name: part.name,
				type: part.type,
				joint,
				dof: dofStart + (isScalar ? shift : 0),
				coordinate: coordinateStart + (isScalar ? offset : 0),
				isMerged: joints.parts.length > 1,
			};
			context.jointOrder.push(entry);
			keepWritten(context, 'joint', entry.dof, part.attributes);
			if (part.written.size > 0) keepMujocoWritten(builder, 'joint', entry.dof, part.written);
			if (isScalar) giveJoint(context, part.attributes, entry.dof);
			if (!context.joints.has(part.name) || context.options.newtonCompat) context.joints.set(part.name, entry);
		}
	}
}

/** Says where the numbers of a degree of freedom came from. */
function giveJoint(context: MjcfContext, attributes: Attributes, dof: number): void {
	for (const [array, name] of DOF_SOURCES) {
		context.give(array, dof, attributes, name, `the joint has no '${name}', so the default of the builder counts`);
	}
}

const DOF_SOURCES: readonly (readonly [array: string, attribute: string])[] = [
	['joint_axis', 'axis'],
	['joint_limit_lower', 'range'],
	['joint_limit_upper', 'range'],
	['joint_armature', 'armature'],
	['joint_damping', 'damping'],
	['joint_friction', 'frictionloss'],
	['joint_effort_limit', 'actuatorfrcrange'],
];

/** Values per degree of freedom, by their index in the joint. */
function dofAttributes(joints: BodyJoints, ordered: BodyJoints['parts'], newtonCompat: boolean): AttributeAssignments {
	const out: Record<string, AttributeValue | Map<number, AttributeValue>> = Object.fromEntries(joints.custom);
	if (joints.kind === 'ball') return { ...out, ...Object.fromEntries(joints.parts[0]!.custom) } as AttributeAssignments;
	if (joints.kind !== 'axes') return out as AttributeAssignments;
	// Newton counts in the order of the document, although the linear axes come first
	for (const [i, part] of (newtonCompat ? joints.parts.slice(0, ordered.length) : ordered).entries()) {
		for (const [key, value] of part.custom) {
			const known = out[key];
			if (known instanceof Map) known.set(i, value);
			else out[key] = new Map([[i, value]]);
		}
	}
	return out as AttributeAssignments;
}

function relativePose(context: MjcfContext, parent: number, world: Float64Array): Float64Array {
	if (parent === WORLD) return world;
	const pose = rowOf(context.builder.column('bodyQ'), 7, parent);
	return composed(transformInvert(pose, pose), world);
}

function toUnit(vector: Float64Array): Float64Array {
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

function placeOf(position: ArrayLike<number>): Float64Array {
	return Float64Array.of(position[0]!, position[1]!, position[2]!, 0, 0, 0, 1);
}

/** The inverse rotation of a pose, at the origin. */
function turnedBack(pose: Float64Array): Float64Array {
	return Float64Array.of(0, 0, 0, -pose[3]!, -pose[4]!, -pose[5]!, pose[6]!);
}
