import { type Prim, type Stage, XformCache } from '@manyworlds/usd';
import { xformOps } from '@manyworlds/usd/internal';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import { identity, type NodeTransform, nodeTransform, product, relativeTo } from './node-transform.ts';
import type { SceneNode } from './scene-nodes.ts';

/** Between two keys a part may be off by this share of how far it moves, and by this angle [rad]. */
const TOLERANCE = 1e-4;

/** How often the time between two samples is halved at most. */
const DEEPEST = 6;

/** Keys of one animation at most. */
const MOST_KEYS = 100_000;

/** Nodes of a stage, to be moved. */
export interface MovedNodes {
	readonly stage: Stage;
	readonly nodes: readonly SceneNode[];
	readonly primOf: ReadonlyMap<SceneNode, Prim>;
	/** Where each node is in the file; parents come before what hangs on them. */
	readonly indexOf: ReadonlyMap<SceneNode, number>;
	/** Where each node stands in the scene, as written. */
	readonly frameOf: ReadonlyMap<SceneNode, Float64Array>;
	/** Prims with a transform that changes over time. */
	readonly moving: readonly Prim[];
}

/** Places of nodes at a time. */
interface Key {
	readonly time: number;
	readonly places: readonly NodeTransform[];
}

/**
 * Adds an animation with the transforms of a stage over time. Keys are the samples, and more between them where a straight way would be
 * another: USD mixes the numbers of its operations, glTF turns along the shortest way. Tells nodes that change in a way that nodes cannot.
 */
export function addStageAnimation(document: GltfDocument, moved: MovedNodes, tell: (node: SceneNode) => void): void {
	const { stage, indexOf } = moved;
	const affected = affectedNodes(moved);
	const samples = sampleTimes(stage, moved.moving);
	if (affected.length === 0 || samples.length === 0) return;
	const keys = refine(samples, placesOver(moved, affected));
	const first = Math.min(0, keys[0]!.time);
	const seconds = keys.map(({ time }) => Math.fround((time - first) / stage.timeCodesPerSecond));
	const kept = keys.flatMap((_, i) => (i === 0 || seconds[i]! > seconds[i - 1]! ? [i] : []));
	const input = document.addFloats(
		Float32Array.from(kept, (i) => seconds[i]!),
		1,
		{ bounds: true, isVertex: false },
	);
	const samplers: GltfObject[] = [];
	const channels: GltfObject[] = [];
	for (const [at, node] of affected.entries()) {
		const places = kept.map((i) => keys[i]!.places[at]!);
		// a scale of a link stays in what hangs on it, a shear in its points, as they were at first
		if (places.some(({ isExact }) => isExact !== places[0]!.isExact)) tell(node);
		for (const [path, width] of PARTS) {
			const own = places.map((place) => place[path]);
			const values = path === 'rotation' ? sameSide(own) : own;
			if (values.every((value) => value.every((part, k) => isStill(part, values[0]![k]!)))) continue;
			const output = document.addFloats(Float32Array.from(values.flat()), width, { isVertex: false });
			channels.push({ sampler: samplers.push({ input, output }) - 1, target: { node: indexOf.get(node)!, path } });
		}
	}
	if (channels.length > 0) document.animations.push({ name: 'stage', channels, samplers });
}

const PARTS = [
	['translation', 3],
	['rotation', 4],
	['scale', 3],
] as const;

/** Whether a number stays what it is, up to what matrices leave of it on their way through the scene. */
function isStill(value: number, first: number): boolean {
	return Math.abs(value - first) <= 1e-9 * (1 + Math.abs(first));
}

/** Nodes that move, or that stay where they are while what they hang on moves, parents first. */
function affectedNodes({ nodes, primOf, indexOf, moving }: MovedNodes): SceneNode[] {
	const roots = moving.map(({ path }) => path.toString()).sort();
	const isBelow = new Map<Prim, boolean>();
	const isMoved = (node: SceneNode): boolean => {
		const prim = primOf.get(node)!;
		let found = isBelow.get(prim);
		if (found === undefined) {
			found = false;
			for (let at: Prim | undefined = prim; at !== undefined && !found; at = at.parent) {
				found = isIn(roots, at.path.toString());
			}
			isBelow.set(prim, found);
		}
		return found;
	};
	return nodes
		.filter((node) => isMoved(node) || (node.parent !== undefined && isMoved(node.parent)))
		.sort((a, b) => indexOf.get(a)! - indexOf.get(b)!);
}

function isIn(sorted: readonly string[], text: string): boolean {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (sorted[middle]! < text) low = middle + 1;
		else high = middle;
	}
	return sorted[low] === text;
}

/** Gives the places of nodes at a time. */
function placesOver({ primOf, frameOf }: MovedNodes, affected: readonly SceneNode[]): (time: number) => Key {
	const transforms = new XformCache();
	return (time) => {
		transforms.time = time;
		const frames = new Map<SceneNode, Float64Array>();
		const places = affected.map((node) => {
			const { parent } = node;
			const above = parent === undefined ? identity() : (frames.get(parent) ?? frameOf.get(parent)!);
			const world = transforms.worldTransform(primOf.get(node)!);
			// a place that is no number is that of the parent
			const transform = nodeTransform(relativeTo(world.every(Number.isFinite) ? world : above, above), !node.isPose);
			frames.set(node, product(transform.matrix, above));
			return transform;
		});
		return { time, places };
	};
}

/** Times at which something is said about transforms. */
function sampleTimes(stage: Stage, moving: readonly Prim[]): number[] {
	const times = new Set<number>();
	for (const prim of moving) {
		for (const { attribute } of xformOps(prim).ops) {
			const own = attribute.timeSamples();
			for (const time of own) if (Number.isFinite(time)) times.add(time);
			if (own.length > 0 || !attribute.mightBeTimeVarying) continue;
			// a curve has no samples: one for each time code of the stage
			const count = Math.min(MOST_KEYS, Math.floor(stage.endTimeCode - stage.startTimeCode));
			for (let i = 0; i <= count; i++) times.add(stage.startTimeCode + i);
		}
	}
	return [...times].sort((a, b) => a - b).slice(0, MOST_KEYS);
}

/** Keys at some times, and between them where a straight way would lead elsewhere. */
function refine(samples: readonly number[], at: (time: number) => Key): Key[] {
	const keys = [at(samples[0]!)];
	for (const time of samples.slice(1)) {
		const stack = [{ end: at(time), depth: 0 }];
		for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
			const begin = keys.at(-1)!;
			const { end, depth } = top;
			const between = (share: number): number => begin.time + share * (end.time - begin.time);
			const mayDivide = depth < DEEPEST && keys.length < MOST_KEYS;
			const isStraight = mayDivide && PROBES.every((share) => isMixed(begin, end, at(between(share)), share));
			if (mayDivide && !isStraight) {
				top.depth++;
				stack.push({ end: at(between(0.5)), depth: depth + 1 });
			} else {
				keys.push(end);
				stack.pop();
			}
		}
	}
	return keys;
}

/** Where the way between two keys is looked at: not only in the middle, where whole turns hide. */
const PROBES = [0.5, 0.317] as const;

/** Whether places are those that a viewer mixes from two keys. */
function isMixed(begin: Key, end: Key, probe: Key, share: number): boolean {
	return probe.places.every((place, i) => {
		const [a, b] = [begin.places[i]!, end.places[i]!];
		const way = 1 + Math.hypot(...a.translation.map((part, k) => part - b.translation[k]!));
		const isNear = (path: 'translation' | 'scale'): boolean =>
			place[path].every((part, k) => Math.abs(part - mix(a[path][k]!, b[path][k]!, share)) <= TOLERANCE * way);
		return isNear('translation') && isNear('scale') && isTurned(a.rotation, b.rotation, place.rotation, share);
	});
}

function isTurned(a: readonly number[], b: readonly number[], probe: readonly number[], share: number): boolean {
	const cosine = dotOf(a, b);
	const [sign, angle] = [cosine < 0 ? -1 : 1, Math.acos(Math.min(1, Math.abs(cosine)))];
	// half a turn may go either way
	if (angle > 1.4) return false;
	const sine = Math.sin(angle);
	const [p, q] =
		sine < 1e-6 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
	const mixed = a.map((part, k) => p * part + q * sign * b[k]!);
	const off = Math.abs(dotOf(mixed, probe)) / Math.hypot(...mixed);
	return 2 * Math.sqrt(Math.max(0, 1 - off * off)) <= TOLERANCE;
}

function dotOf(a: readonly number[], b: readonly number[]): number {
	return a.reduce((sum, part, k) => sum + part * b[k]!, 0);
}

function mix(a: number, b: number, share: number): number {
	return a + share * (b - a);
}

/** Rotations with neighbours on the same side, so that viewers take the short way. */
function sameSide(rotations: readonly (readonly number[])[]): number[][] {
	const out: number[][] = [];
	for (const rotation of rotations) {
		const last = out.at(-1);
		const dot = last === undefined ? 1 : dotOf(last, rotation);
		out.push(rotation.map((part) => (dot < 0 ? -1 : 1) * part));
	}
	return out;
}
