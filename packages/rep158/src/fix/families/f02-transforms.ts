import { mat3Determinant } from '@manyworlds/core/internal';
import { type Path, type Prim, type Stage, XformCache } from '@manyworlds/usd';
import { isXformable, localTransform, xformOps } from '@manyworlds/usd/internal';
import { hasSchema, isBody, isJoint, readNumbers } from '../../asset/read-values.ts';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import {
	affine,
	applyLinear,
	linearPart,
	multiply3,
	STRETCH_TOLERANCE,
	splitMatrix,
	stretchKind,
} from '../engine/linear.ts';
import { Proposals } from '../engine/proposals.ts';
import { removeProperty } from '../engine/sites.ts';
import { absorbStretch } from '../frames/absorb-stretch.ts';
import { JointFrames } from '../frames/joint-frames.ts';
import { sampleStack, stackTimes } from '../frames/stack-samples.ts';
import {
	hasEulerOps,
	hasMatrixOps,
	hasScaleOps,
	leafParts,
	orderOf,
	proposeStack,
	RIGID_ORDER,
	rigidParts,
	type StackParts,
	stackMatrix,
} from '../frames/xform-stack.ts';

/**
 * F2: transforms as REP 1.1 wants them. Bodies, frames and what stands above them get translation and orientation; scale and
 * shear move down, M_child · P, until leaves take them. Joint frames, centres of mass and principal axes follow, so that nothing
 * moves in the world.
 */
export const TRANSFORMS: Fixer = {
	family: 'F2',
	title: 'translate and orient on bodies, scale on leaves',
	rules: ['R1.1.4', 'R1.1.7', 'R1.1.8', 'R1.1.10', 'R1.1.11', 'R1.1.16'],
	safety: 'safe',
	apply(session) {
		removeJointTransforms(session);
		standardizeTransforms(session, 'all');
	},
};

/** F3: rotations about axes as quaternions, scale staying where it is. */
export const EULER: Fixer = {
	family: 'F3',
	title: 'quaternions instead of Euler angles',
	rules: ['R1.1.9'],
	safety: 'safe',
	apply(session) {
		standardizeTransforms(session, 'euler');
	},
};

/** Operations on joints do nothing. */
function removeJointTransforms(session: FixSession): void {
	session.forEachSelection(() => {
		const joints = [...session.stage.traverse()].filter(isJoint).map(({ path }) => path);
		for (const path of joints) {
			const prim = session.stage.prim(path)!;
			const names = prim.authoredPropertyNames().filter((name) => name.startsWith('xformOp'));
			for (const name of names) removeProperty(session, 'R1.1.16', session.stage.prim(path)!, name);
		}
	});
}

/** Rewrites stacks: all that break a rule, those with Euler angles, or those with operations about single axes. */
export function standardizeTransforms(session: FixSession, which: StackChoice): void {
	const proposals = new Proposals(session);
	session.forEachSelection((stage) => new TransformPass(session, proposals, which).run(stage));
	proposals.commit();
}

/** Which stacks are rewritten. */
export type StackChoice = 'all' | 'euler' | 'axes';

/** What comes down to a prim from above: a stretch at the default time, and at others when it varies. */
interface Incoming {
	readonly stretch: Float64Array;
	/** Times at which it differs, ascending; empty when it does not vary. */
	readonly times: readonly number[];
	at(time: number): Float64Array;
}

const NONE: Incoming = {
	stretch: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
	times: [],
	at: () => NONE.stretch,
};

/** Operations about or along single axes, whose names change with the axes. */
const AXIS_OPERATION = /^(?:!invert!)?xformOp:(?:rotate[XYZ]|translate[XYZ]|scale[XYZ])/;

const UNITS_RESOLVE = /:unitsResolve$/;

class TransformPass {
	readonly #session: FixSession;
	readonly #proposals: Proposals;
	readonly #which: StackChoice;
	readonly #kinematic = new Set<Path>();
	readonly #frames: JointFrames;
	/** New transforms to the world of prims that changed or lie below one that did. */
	readonly #world = new Map<Path, Float64Array>();
	#before: XformCache = new XformCache();

	constructor(session: FixSession, proposals: Proposals, which: StackChoice) {
		this.#session = session;
		this.#proposals = proposals;
		this.#which = which;
		this.#frames = new JointFrames(session, proposals);
	}

	run(stage: Stage): void {
		this.#before = new XformCache();
		for (const prim of stage.traverse()) {
			if (!isKinematic(prim)) continue;
			for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
				if (this.#kinematic.has(at.path)) break;
				this.#kinematic.add(at.path);
			}
		}
		for (const root of [stage.pseudoRoot, ...stage.prototypes()]) {
			for (const prim of root.children()) this.#visit(prim, NONE, false);
		}
		this.#frames.propose(stage, this.#before, this.#world);
	}

	/** Visits a prim with what comes from above, then those below it. Namespaces may be deep: the stack is our own. */
	#visit(start: Prim, incoming: Incoming, isBelowChange: boolean): void {
		const stack = [{ prim: start, incoming, isBelowChange }];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			const { prim } = next;
			if (!prim.isActive) continue;
			this.#proposals.see(prim);
			if (isJoint(prim)) continue;
			const result = this.#transform(prim, next.incoming, next.isBelowChange);
			if (prim.isInstance) continue;
			const children = prim.children();
			for (let i = children.length - 1; i >= 0; i--) {
				stack.push({ prim: children[i]!, incoming: result.down, isBelowChange: result.isChanged });
			}
		}
	}

	#transform(prim: Prim, incoming: Incoming, isBelowChange: boolean): { down: Incoming; isChanged: boolean } {
		if (!isXformable(prim)) {
			if (isBelowChange) this.#keepWorld(prim, affine(NONE.stretch, [0, 0, 0]), incoming);
			return { down: incoming, isChanged: isBelowChange };
		}
		const rule = this.#ruleFor(prim, incoming);
		const { resetsXformStack } = xformOps(prim);
		const from = resetsXformStack ? NONE : incoming;
		if (rule === undefined) {
			if (isBelowChange) this.#keepWorld(prim, this.#local(prim, from), NONE);
			return { down: NONE, isChanged: isBelowChange };
		}
		const own = stackTimes(prim);
		if (typeof own === 'string') {
			this.#session.refuse(rule, own, { prim });
			return { down: NONE, isChanged: isBelowChange };
		}
		const times = [...new Set([...own, ...from.times])].sort((a, b) => a - b);
		const isRigid = this.#which === 'all' && this.#isRigid(prim);
		const make = (time?: number): { parts: StackParts; stretch: Float64Array } | undefined => {
			const matrix = this.#local(prim, from, time);
			if (!isRigid) {
				const parts = leafParts(matrix);
				return parts && { parts, stretch: NONE.stretch };
			}
			const rigid = rigidParts(matrix);
			return rigid && { parts: rigid.parts, stretch: rigid.split.stretch };
		};
		const result = make();
		if (result === undefined) {
			this.#session.refuse(rule, 'its transform flattens space or is not affine', { prim });
			return { down: NONE, isChanged: isBelowChange };
		}
		// matrices shrink what they turn between two samples; a body that keeps its size at all of them keeps it in between
		const keepsSize = [result, ...times.map(make)].every(
			(stack) => stack !== undefined && stretchKind(stack.stretch, STRETCH_TOLERANCE) === 'identity',
		);
		const samples = sampleStack(times, make);
		if (samples === undefined) {
			this.#session.refuse(rule, 'its transform flattens space at some time', { prim });
			return { down: NONE, isChanged: isBelowChange };
		}
		let stretch = result.stretch;
		if (keepsSize) stretch = NONE.stretch;
		const hasStretch = stretch !== NONE.stretch;
		if (isRigid && hasStretch) {
			const reason = this.#takeStretch(prim, stretch, samples.length > 0);
			if (reason !== undefined) {
				this.#session.refuse(rule, reason, { prim });
				return { down: NONE, isChanged: isBelowChange };
			}
			if (isBody(prim) && mat3Determinant(stretch) < 0) {
				const message =
					'its transform mirrored, and engines turn mirrored bodies in different ways: look at the frames of its joints';
				this.#session.note('R1.1.6', message, { prim });
			}
		}
		const isPlain = from === NONE && !hasStretch && isRigidOrder(orderOf(prim).filter((name) => !hasScaleOps([name])));
		proposeStack(
			this.#session,
			this.#proposals,
			prim,
			rule,
			result.parts,
			isPlain ? [] : samples.map(({ time, parts }) => [time, parts] as const),
			isPlain,
		);
		this.#setWorld(prim, stackMatrix(result.parts), resetsXformStack);
		const down: Incoming = !isRigid || !hasStretch ? NONE : incomingOf(stretch, samples);
		return { down, isChanged: true };
	}

	/** Why a prim is to be rewritten; undefined when it is as it should be. */
	#ruleFor(prim: Prim, incoming: Incoming): RepCode | undefined {
		const order = orderOf(prim);
		if (this.#which === 'euler') return hasEulerOps(order) ? 'R1.1.9' : undefined;
		if (this.#which === 'axes') return order.some((name) => AXIS_OPERATION.test(name)) ? 'R1.1.5' : undefined;
		if (incoming !== NONE) return 'R1.1.10';
		if (order.some((name) => UNITS_RESOLVE.test(name))) return 'R1.1.4';
		if (hasMatrixOps(order)) return 'R1.1.8';
		if (isBody(prim) && (order.length !== 2 || order.some((name, i) => name !== RIGID_ORDER[i]))) return 'R1.1.7';
		if (this.#kinematic.has(prim.path) && order.length > 0 && !isRigidOrder(order)) return 'R1.1.7';
		if (this.#isRigid(prim) && hasScaleOps(order)) {
			const split = splitMatrix(localTransform(prim).matrix);
			if (split === undefined || stretchKind(split.stretch) !== 'identity') return 'R1.1.11';
			if (this.#kinematic.has(prim.path)) return 'R1.1.7';
		}
		return undefined;
	}

	/** Whether a prim must not scale: it moves, or other things that have transforms lie below it. */
	#isRigid(prim: Prim): boolean {
		// what only converts units belongs into the shape
		if (prim.isA('Gprim') && orderOf(prim).some((name) => UNITS_RESOLVE.test(name))) return true;
		if (prim.isInstance) return isKinematic(prim);
		if (this.#kinematic.has(prim.path)) return true;
		if (prim.isA('Gprim') || prim.isA('PointInstancer')) return false;
		if (prim.isA('Camera') || prim.hasSchema('LightAPI')) return true;
		return prim.children().some((child) => child.isActive && hasXformable(child));
	}

	/** Lets a prim itself take the stretch that its transform loses. Gives a reason when it cannot. */
	#takeStretch(prim: Prim, stretch: Float64Array, isAnimated: boolean): string | undefined {
		if (prim.isInstance) return 'it is an instance and a rigid body, whose geometry cannot take its scale';
		if (prim.isA('Camera') || prim.hasSchema('LightAPI')) {
			this.#session.note('R1.1.11', 'the scale of a camera or light was dropped', { prim });
			return undefined;
		}
		if (prim.isA('Gprim')) {
			if (isAnimated) return 'its scale changes over time, and geometry cannot follow';
			const reason = absorbStretch(this.#session, this.#proposals, prim, stretch);
			if (reason !== undefined) return reason;
		}
		this.#stretchExtents(prim, stretch);
		return undefined;
	}

	/** `extentsHint` is in the space that the stretch has left. */
	#stretchExtents(prim: Prim, stretch: Float64Array): void {
		const boxes = prim.attribute('extentsHint').hasAuthoredValue ? readNumbers(prim, 'extentsHint') : undefined;
		if (boxes === undefined || boxes.length % 6 !== 0) return;
		this.#frames.proposeExtents(prim, 'extentsHint', boxes, (p) => applyLinear(p, stretch));
	}

	/** The local matrix of a prim with the stretch of its parent. */
	#local(prim: Prim, incoming: Incoming, time?: number): Float64Array {
		const { matrix } = localTransform(prim, time === undefined ? {} : { time });
		if (incoming === NONE) return matrix;
		const stretch = time === undefined ? incoming.stretch : incoming.at(time);
		return affine(multiply3(linearPart(matrix), stretch), applyLinear(matrix.subarray(12, 15), stretch));
	}

	#keepWorld(prim: Prim, local: Float64Array, incoming: Incoming): void {
		if (incoming === NONE) this.#setWorld(prim, local, xformOps(prim).resetsXformStack);
		else this.#setWorld(prim, affine(NONE.stretch, [0, 0, 0]), false);
	}

	#setWorld(prim: Prim, local: Float64Array, isReset: boolean): void {
		const parent = prim.parent;
		const above =
			isReset || parent === undefined
				? undefined
				: (this.#world.get(parent.path) ?? this.#before.worldTransform(parent));
		this.#world.set(prim.path, above === undefined ? local : product(local, above));
	}
}

/** Whether a prim moves by itself or marks a frame. */
function isKinematic(prim: Prim): boolean {
	return (
		isBody(prim) ||
		hasSchema(prim, 'PhysicsArticulationRootAPI') ||
		hasSchema(prim, 'RosFrameAPI') ||
		hasSchema(prim, 'RosContextAPI')
	);
}

/** Whether an order is translation, then orientation, and nothing else. */
function isRigidOrder(order: readonly string[]): boolean {
	return order.length === 2 && order.every((name, i) => name === RIGID_ORDER[i]);
}

function hasXformable(prim: Prim): boolean {
	const stack = [prim];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		if (isXformable(at)) return true;
		if (!at.isInstance) stack.push(...at.children());
	}
	return false;
}

function incomingOf(stretch: Float64Array, samples: readonly { time: number; stretch: Float64Array }[]): Incoming {
	const at = (time: number): Float64Array => {
		if (samples.length === 0) return stretch;
		let i = samples.findIndex((sample) => sample.time >= time);
		if (i < 0) return samples.at(-1)!.stretch;
		if (i === 0 || samples[i]!.time === time) return samples[i]!.stretch;
		i--;
		const from = samples[i]!;
		const to = samples[i + 1]!;
		const share = (time - from.time) / (to.time - from.time);
		return from.stretch.map((x, k) => x + share * (to.stretch[k]! - x));
	};
	return { stretch, times: samples.map(({ time }) => time), at };
}

function product(a: Float64Array, b: Float64Array): Float64Array {
	const linear = multiply3(linearPart(a), linearPart(b));
	const moved = applyLinear(a.subarray(12, 15), linearPart(b));
	return affine(linear, [moved[0]! + b[12]!, moved[1]! + b[13]!, moved[2]! + b[14]!]);
}
