import { createRosDiagnostic } from '@manyworlds/ros/internal';
import type { CommandContext } from '../command-context.ts';
import { recordTo } from '../serve/record-file.ts';
import { openServedRobot, type ServedRobotOptions } from '../serve/served-robot.ts';
import { stepsIn } from './run.ts';

/** Options of `manyworlds record`. */
export interface RecordOptions extends Omit<ServedRobotOptions, 'domain' | 'nodeName'> {
	readonly output: string;
	readonly duration: number;
}

/** Steps after which the disk is waited for: a recording loses nothing. */
const STEPS_BETWEEN_FLUSHES = 50;

/** `manyworlds record FILE -o OUT.mcap`: what a robot would tell ROS, in a file. */
export async function record(context: CommandContext, file: string, options: RecordOptions): Promise<void> {
	const robot = await openServedRobot(context, file, { ...options, domain: 0, nodeName: 'manyworlds' }, () => {});
	if (robot === undefined) return;
	const { runtime, simulation } = robot;
	try {
		const recording = await recordTo(context, options.output, robot, options);
		runtime.publish();
		const steps = stepsIn(options.duration, simulation.dt);
		for (let step = 1; step <= steps; step++) {
			await runtime.step();
			if (step % STEPS_BETWEEN_FLUSHES !== 0) continue;
			await recording.sink.flush();
			context.progress.step(`recording ${context.display(file)}, ${Math.round((100 * step) / steps)} %`);
		}
		await recording.close();
		context.note(`wrote ${context.display(options.output)} (${recording.sink.written} messages)`);
		context.findings.addAll(simulation.findings);
	} catch (error) {
		if (!(error instanceof Error) || !('code' in error)) throw error;
		context.report.add(createRosDiagnostic('ROS005', `${options.output} cannot be written: ${error.message}`));
	} finally {
		await simulation.dispose();
	}
}
