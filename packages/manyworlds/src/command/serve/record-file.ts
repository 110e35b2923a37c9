import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hashModel } from '@manyworlds/model/internal';
import { loadZstd, openFileTarget } from '@manyworlds/node/internal';
import { McapSink } from '@manyworlds/ros';
import { bagMetadata } from '@manyworlds/ros/internal';
import type { CommandContext } from '../command-context.ts';
import type { ServedRobot, ServedRobotOptions } from './served-robot.ts';

/** A recording that is under way. */
export interface OpenedRecording {
	readonly sink: McapSink;
	close(): Promise<void>;
}

/** Starts to record all topics of a robot. Rejects where the file cannot be written. */
export async function recordTo(
	context: CommandContext,
	file: string,
	robot: ServedRobot,
	options: Pick<ServedRobotOptions, 'solver' | 'seed' | 'compression'>,
): Promise<OpenedRecording> {
	const { bus, simulation, asset } = robot;
	const path = context.absolute(file);
	const isFolder = file.endsWith('/');
	const name = isFolder ? `${basename(path)}_0.mcap` : basename(path);
	if (isFolder) await mkdir(path, { recursive: true });
	const target = await openFileTarget(isFolder ? join(path, name) : path);
	const sink = new McapSink(target, {
		types: bus.types,
		...(options.compression === 'zstd' && { compressor: await loadZstd() }),
		metadata: {
			asset: context.display(asset.name),
			model_hash: hashModel(simulation.model),
			solver: options.solver,
			...(simulation.engine !== undefined && { engine: simulation.engine }),
			seed: String(options.seed),
			step_seconds: String(simulation.dt),
		},
	});
	bus.attach(sink);
	return {
		sink,
		close: async () => {
			bus.detach(sink);
			await sink.close();
			await target.close();
			if (isFolder) await writeFile(join(path, 'metadata.yaml'), bagMetadata(name, sink.content));
		},
	};
}
