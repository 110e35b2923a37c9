import { join } from 'node:path';
import { ByteFrameReader, byteFrame } from '@manyworlds/core/internal';
import { describe, expect, test } from 'vitest';
import { HostFrame, hostFrame, readHostFrame } from '../src/command/host/host-message.ts';
import { serveHost } from '../src/command/host/serve-host.ts';

const CRANE = join(import.meta.dirname, '../../../examples/robots/crane/crane.xml');

interface Answer {
	readonly kind: number;
	readonly value: Readonly<Record<string, unknown>>;
	readonly arrays: ReadonlyMap<string, Float64Array>;
}

/** What a host answers to calls; the first answer is its greeting. */
async function answersTo(...frames: readonly Uint8Array[]): Promise<Answer[]> {
	const reader = new ByteFrameReader(1e8);
	const answers: Answer[] = [];
	await serveHost({
		pieces: (async function* () {
			yield* frames;
		})(),
		async write(bytes) {
			for (const frame of reader.push(bytes)) answers.push({ kind: frame.kind, ...readHostFrame(frame) });
		},
	});
	return answers.slice(1);
}

function call(value: Readonly<Record<string, unknown>>, arrays: Readonly<Record<string, number[]>> = {}): Uint8Array {
	const entries = Object.entries(arrays).map(([name, numbers]) => [name, Float64Array.from(numbers)] as const);
	return hostFrame(HostFrame.CALL, { value, arrays: new Map(entries) });
}

const OPEN = call({ call: 'open', path: CRANE, options: { worlds: 2, threads: 1 } });

describe('a host', () => {
	test('opens, writes, steps and reads', async () => {
		const [opened, stepped, read, hash, closed] = await answersTo(
			OPEN,
			call({ call: 'step', simulation: 1, steps: 5, read: ['joint_positions'] }, { joint_efforts: [0, 1, 0, -1] }),
			call({ call: 'read', simulation: 1, read: ['joint_efforts', 'body_poses'] }),
			call({ call: 'hash', simulation: 1 }),
			call({ call: 'close', simulation: 1 }),
		);
		expect(opened!.value).toMatchObject({
			simulation: 1,
			format: 'mjcf',
			worlds: 2,
			dt: 0.002,
			jointStarts: { coordinate: [0, 1, 2], dof: [0, 1, 2] },
			arrayRows: { body_poses: [4, 7], joint_positions: [4, 1], body_contact_forces: [0, 6] },
		});
		expect(stepped!.value).toMatchObject({ time: 0.01, failures: [] });
		const [, elbow, , other] = stepped!.arrays.get('joint_positions')!;
		expect(elbow).toBeGreaterThan(other!);
		expect([...read!.arrays.get('joint_efforts')!]).toEqual([0, 1, 0, -1]);
		expect(read!.arrays.get('body_poses')!.length).toBe(28);
		expect(hash!.value['hash']).toMatch(/^[0-9a-f]{16}$/);
		expect(closed!.kind).toBe(HostFrame.ANSWER);
	});

	test('answers what is wrong with its kind, and goes on', async () => {
		const answers = await answersTo(
			call({ call: 'step', simulation: 7 }),
			call({ call: 'open', path: '/nothing.urdf' }),
			byteFrame(HostFrame.CALL, [new TextEncoder().encode('none')]),
			OPEN,
			call({ call: 'write', simulation: 1 }, { joint_targets: [1] }),
			call({ call: 'read', simulation: 1, read: ['colours'] }),
			call({ call: 'targets', simulation: 1, targets: { knee: 1 } }),
			call({ call: 'dance', simulation: 1 }),
			call({ call: 'step', simulation: 1, steps: 1 }),
		);
		expect(answers.map(({ kind }) => kind)).toEqual([3, 3, 3, 2, 3, 3, 3, 3, 2]);
		expect(answers.map(({ value }) => value['kind'])).toEqual([
			'usage',
			'asset',
			'usage',
			undefined,
			'usage',
			'usage',
			'usage',
			'usage',
			undefined,
		]);
		expect(answers[0]!.value['message']).toBe('there is no simulation 7');
		expect(answers[1]!.value).toMatchObject({ code: 'OPEN001', report: { version: 1 } });
		expect(answers[4]!.value['message']).toBe("array 'joint_targets' has 1 numbers, expected 4");
		expect(answers[7]!.value['message']).toBe("unknown call 'dance'");
	});

	test('takes no message whose arrays do not fit it', () => {
		const frame = call({ call: 'write', simulation: 1 }, { a: [1, 2, 3] });
		const [whole] = new ByteFrameReader(1e6).push(frame);
		expect([...readHostFrame(whole!).arrays.get('a')!]).toEqual([1, 2, 3]);
		const short = new DataView(whole!.contents.buffer, 0, whole!.contents.byteLength - 8);
		expect(() => readHostFrame({ kind: 1, contents: short })).toThrow(/array 'a' of 3 numbers does not fit/);
	});
});
