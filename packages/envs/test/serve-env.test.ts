import { ByteFrameReader, byteFrame } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import { type EnvTask, jointEfforts, jointPositions, serveEnv } from '../src/index.ts';
import { FrameKind } from '../src/serve/env-frames.ts';
import { envOf, sliderModel } from './slider-env.ts';

const TASK: EnvTask = {
	observations: [jointPositions()],
	actions: [jointEfforts({ joints: ['slide'], scale: 2 })],
	rewards: [{ name: 'one', weight: 1, value: () => 1 }],
	episodeSeconds: 0.1,
};

/** What an environment of two worlds answers to pieces of bytes. */
async function answers(pieces: readonly Uint8Array[]): Promise<{ kind: number; text: string; numbers: number[] }[]> {
	const env = await envOf(sliderModel(2), TASK);
	const reader = new ByteFrameReader(1e6);
	const found: { kind: number; text: string; numbers: number[] }[] = [];
	await serveEnv(env, {
		pieces: (async function* () {
			yield* pieces;
		})(),
		async write(bytes) {
			for (const { kind, contents } of reader.push(bytes)) {
				const text = new TextDecoder().decode(contents);
				const numbers = Array.from({ length: Math.floor(contents.byteLength / 8) }, (_, i) =>
					contents.getFloat64(8 * i, true),
				);
				found.push({ kind, text, numbers });
			}
		},
	});
	await env.dispose();
	return found;
}

const reset = (seed = Number.NaN): Uint8Array => byteFrame(FrameKind.RESET, [Float64Array.of(seed)]);
const step = (...actions: number[]): Uint8Array => byteFrame(FrameKind.STEP, [Float64Array.from(actions)]);

describe('serveEnv', () => {
	test('says what it is, then does what it is told', async () => {
		const [hello, begun, stepped, over, ...rest] = await answers([reset(1), step(1, -1), step(1, -1)]);
		expect(JSON.parse(hello!.text)).toEqual({
			version: 1,
			worlds: 2,
			period: 0.05,
			observations: [
				{ name: 'position of slide', unit: 'm' },
				{ name: 'position of turn', unit: 'rad' },
			],
			actions: [{ name: 'effort of slide', unit: '2 N', lower: -1, upper: 1 }],
		});
		expect(begun).toMatchObject({ kind: FrameKind.OBSERVATIONS, numbers: [0, 0, 0, 0] });
		expect(stepped!.kind).toBe(FrameKind.STEPPED);
		// observations, rewards; the fifth and sixth number are the rewards
		expect(stepped!.numbers[0]).toBeCloseTo((1e-4 * 15 * 2) / 2, 12);
		expect(stepped!.numbers[2]).toBeCloseTo((-1e-4 * 15 * 2) / 2, 12);
		expect(stepped!.numbers.slice(4, 6)).toEqual([1, 1]);
		expect([...stepped!.text].slice(-4).map((c) => c.charCodeAt(0))).toEqual([0, 0, 0, 0]);
		// time is over: worlds begin anew, what they saw last follows the rewards, then the sums
		expect(over!.numbers.slice(0, 4)).toEqual([0, 0, 0, 0]);
		expect(over!.numbers[6]).toBeCloseTo((1e-4 * 55 * 2) / 2, 12);
		expect(over!.numbers.slice(10, 12)).toEqual([2, 2]);
		expect([...over!.text].slice(-4).map((c) => c.charCodeAt(0))).toEqual([0, 0, 1, 1]);
		expect(rest).toEqual([]);
	});

	test('puts frames together that arrive in pieces, and ends when it is told', async () => {
		const bytes = [...reset(), ...step(0, 0), ...byteFrame(FrameKind.CLOSE, []), ...step(0, 0)];
		const found = await answers(bytes.map((byte) => Uint8Array.of(byte)));
		expect(found.map(({ kind }) => kind)).toEqual([FrameKind.HELLO, FrameKind.OBSERVATIONS, FrameKind.STEPPED]);
	});

	test('resets the worlds of a mask', async () => {
		const masked = byteFrame(FrameKind.RESET, [Float64Array.of(Number.NaN), Uint8Array.of(0, 1)]);
		const [, , stepped, begun] = await answers([reset(), step(1, 1), masked]);
		expect(begun!.numbers[0]).toBe(stepped!.numbers[0]);
		expect(begun!.numbers[2]).toBe(0);
	});

	test('answers what is wrong with a sentence, and goes on', async () => {
		const found = await answers([
			step(1),
			byteFrame(FrameKind.RESET, [new Uint8Array(3)]),
			byteFrame(FrameKind.HELLO, []),
			reset(),
		]);
		expect(found.slice(1, 4).map(({ text }) => text)).toEqual([
			'actions of 8 bytes, expected 16',
			'a reset of 3 bytes, expected 8 or 10',
			'a frame of kind 1, expected 2, 3 or 7',
		]);
		expect(found[4]!.kind).toBe(FrameKind.OBSERVATIONS);
	});

	test('ends when a frame is too long: nothing after it can be trusted', async () => {
		const found = await answers([Uint8Array.of(255, 255, 255, 255, 3, 0, 0, 0), reset()]);
		expect(found.map(({ kind }) => kind)).toEqual([FrameKind.HELLO, FrameKind.ERROR]);
		expect(found[1]!.text).toMatch(/a frame has 4294967295 bytes/);
	});
});
