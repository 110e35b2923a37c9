import type { ConversionModel } from '../model/conversion-model.ts';
import { compose, inverse, motionOf } from '../model/pose.ts';
import type { GltfDocument, GltfObject } from './gltf-document.ts';
import type { SceneNodes } from './scene-nodes.ts';

/** Seconds that one joint takes from one end of its way to the other and back. */
const PERIOD = 2;

/** How far joints without limits go, as turn [rad] and as way [m]. */
const ENDLESS = { turn: Math.PI, slide: 0.2 } as const;

/** Pieces of the way of a joint, so that what turns stays on its circle. */
const STEPS = 24;

/** Adds an animation that moves one joint after the other over its whole way, for viewers to show what moves and how. */
export function addJointAnimation(document: GltfDocument, model: ConversionModel, { bodies, unit }: SceneNodes): void {
	const samplers: GltfObject[] = [];
	const channels: GltfObject[] = [];
	let start = 0;
	for (const { kind, parent, child, parentFrame, childFrame, freedoms } of model.joints) {
		const [freedom] = freedoms;
		const node = bodies.get(child);
		const isSimple = (kind === 'revolute' || kind === 'prismatic') && parent >= 0;
		if (!isSimple || freedom === undefined || node === undefined) continue;
		const { motion, start: rest } = freedom;
		const lower = Number.isFinite(freedom.lower) ? freedom.lower : rest - ENDLESS[motion];
		const upper = Number.isFinite(freedom.upper) ? freedom.upper : rest + ENDLESS[motion];
		const times = new Float32Array(STEPS + 1);
		const [places, turns] = [new Float32Array(3 * times.length), new Float32Array(4 * times.length)];
		for (let i = 0; i <= STEPS; i++) {
			times[i] = start + (PERIOD * i) / STEPS;
			const value = wayOf(rest, lower, upper, i / STEPS);
			const pose = compose(compose(parentFrame, motionOf(freedom, value)), inverse(childFrame));
			// neighbours on the same side, so that viewers take the short way
			const last = turns.subarray(4 * (i - 1), 4 * i);
			const dot = i === 0 ? 1 : last.reduce((sum, part, k) => sum + part * pose[3 + k]!, 0);
			for (let k = 0; k < 3; k++) places[3 * i + k] = pose[k]! / unit;
			for (let k = 0; k < 4; k++) turns[4 * i + k] = (dot < 0 ? -1 : 1) * pose[3 + k]!;
		}
		start += PERIOD;
		const input = document.addFloats(times, 1, { bounds: true, isVertex: false });
		const add = (path: string, data: Float32Array, width: 3 | 4): void => {
			const output = document.addFloats(data, width, { isVertex: false });
			channels.push({ sampler: samplers.push({ input, output }) - 1, target: { node, path } });
		};
		add('translation', places, 3);
		add('rotation', turns, 4);
	}
	if (channels.length > 0) document.animations.push({ name: 'joints', channels, samplers });
}

/** From where a joint rests to its upper end, to its lower one, and back, for a time from 0 to 1. */
function wayOf(rest: number, lower: number, upper: number, time: number): number {
	const ends = [rest, upper, lower, rest];
	const piece = Math.min(2, Math.floor(3 * time));
	const share = 3 * time - piece;
	return ends[piece]! + share * (ends[piece + 1]! - ends[piece]!);
}
