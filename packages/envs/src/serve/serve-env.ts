import { type ByteFrame, ByteFrameReader, byteFrame } from '@manyworlds/core/internal';
import type { EnvField } from '../env-field.ts';
import type { VectorEnv } from '../vector-env.ts';
import { FRAME_VERSION, FrameKind } from './env-frames.ts';

/** A stream of bytes in both directions. @public */
export interface ByteChannel {
	/** Pieces that arrive, until the other side ends. */
	readonly pieces: AsyncIterable<Uint8Array>;
	write(bytes: Uint8Array): Promise<void>;
}

/** What a program learns about an environment first. */
export interface EnvHello {
	readonly version: number;
	readonly worlds: number;
	/** Time that an action lasts [s]. */
	readonly period: number;
	readonly observations: readonly EnvField[];
	readonly actions: readonly EnvField[];
}

/**
 * Lets a program in another process use an environment: it tells what the environment is, then resets and steps it as it is told, until
 * the program says that it is done or ends. What the program asks wrongly is answered with a sentence. @public
 */
export async function serveEnv(env: VectorEnv, channel: ByteChannel): Promise<void> {
	const hello: EnvHello = {
		version: FRAME_VERSION,
		worlds: env.worldCount,
		period: env.worlds.period,
		observations: env.observationFields,
		actions: env.actionFields,
	};
	await channel.write(textFrame(FrameKind.HELLO, JSON.stringify(hello)));
	const reader = new ByteFrameReader(env.actions.byteLength + env.worldCount + 64);
	for await (const piece of channel.pieces) {
		let frames: ByteFrame[];
		try {
			frames = reader.push(piece);
		} catch (error) {
			await channel.write(textFrame(FrameKind.ERROR, (error as Error).message));
			return;
		}
		for (const frame of frames) {
			if (frame.kind === FrameKind.CLOSE) return;
			await channel.write(await answer(env, frame));
		}
	}
}

async function answer(env: VectorEnv, { kind, contents }: ByteFrame): Promise<Uint8Array> {
	if (kind === FrameKind.RESET) {
		const maskSize = contents.byteLength - 8;
		if (maskSize !== 0 && maskSize !== env.worldCount)
			return wrong(`a reset of ${contents.byteLength} bytes, expected 8 or ${8 + env.worldCount}`);
		const seed = contents.getFloat64(0, true);
		const mask = maskSize === 0 ? undefined : new Uint8Array(contents.buffer, contents.byteOffset + 8, maskSize);
		await env.reset(mask, Number.isNaN(seed) ? undefined : seed);
		return byteFrame(FrameKind.OBSERVATIONS, [env.observations]);
	}
	if (kind === FrameKind.STEP) {
		if (contents.byteLength !== env.actions.byteLength)
			return wrong(`actions of ${contents.byteLength} bytes, expected ${env.actions.byteLength}`);
		for (let i = 0; i < env.actions.length; i++) env.actions[i] = contents.getFloat64(8 * i, true);
		await env.step();
		const { observations, rewards, finalObservations, finalReturns, terminated, truncated } = env;
		return byteFrame(FrameKind.STEPPED, [
			observations,
			rewards,
			finalObservations,
			finalReturns,
			terminated,
			truncated,
		]);
	}
	return wrong(`a frame of kind ${kind}, expected ${FrameKind.RESET}, ${FrameKind.STEP} or ${FrameKind.CLOSE}`);
}

function wrong(sentence: string): Uint8Array {
	return textFrame(FrameKind.ERROR, sentence);
}

function textFrame(kind: FrameKind, text: string): Uint8Array {
	return byteFrame(kind, [new TextEncoder().encode(text)]);
}
