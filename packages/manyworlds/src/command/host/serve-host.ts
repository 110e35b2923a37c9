import { ByteFrameReader, toJsonReport } from '@manyworlds/core/internal';
import type { StdioChannel } from '@manyworlds/node';
import { AssetError } from '../../front/asset-error.ts';
import { VERSION } from '../../version.ts';
import { HostFrame, type HostMessage, hostFrame, readHostFrame } from './host-message.ts';
import { HostedSimulations } from './hosted-simulations.ts';

/** Longest message that is taken [bytes]. */
const MOST = 2 ** 31;

/** Answers the calls of a program, one after the other, until it ends. What goes wrong is answered too. */
export async function serveHost(channel: StdioChannel): Promise<void> {
	const simulations = new HostedSimulations();
	const reader = new ByteFrameReader(MOST);
	await channel.write(hostFrame(HostFrame.ANSWER, { value: { version: VERSION }, arrays: new Map() }));
	try {
		for await (const piece of channel.pieces) {
			for (const frame of reader.push(piece)) {
				try {
					await channel.write(hostFrame(HostFrame.ANSWER, await simulations.answer(readHostFrame(frame))));
				} catch (error) {
					await channel.write(hostFrame(HostFrame.FAILURE, failure(error)));
				}
			}
		}
	} finally {
		await simulations.close();
	}
}

/** What went wrong, with the findings where a file is the reason. */
function failure(error: unknown): HostMessage {
	const message = error instanceof Error ? error.message : String(error);
	const kind =
		error instanceof AssetError
			? 'asset'
			: error instanceof RangeError || error instanceof TypeError
				? 'usage'
				: 'internal';
	const report = error instanceof AssetError ? { report: toJsonReport(error.report), code: error.code } : {};
	return { value: { kind, message, ...report }, arrays: new Map() };
}
