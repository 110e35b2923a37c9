import { hashModel } from '@manyworlds/model';
import { openFileTarget } from '@manyworlds/node';
import { McapSink } from '@manyworlds/ros';
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
	options: Pick<ServedRobotOptions, 'solver' | 'seed'>,
): Promise<OpenedRecording> {
	const { bus, simulation, asset } = robot;
	const target = await openFileTarget(context.absolute(file));
	const sink = new McapSink(target, {
		types: bus.types,
		metadata: {
			asset: context.display(asset.name),
			model_hash: hashModel(simulation.model),
			solver: options.solver,
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
		},
	};
}
