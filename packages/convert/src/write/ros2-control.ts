import type { ConversionJoint } from '../model/conversion-model.ts';
import type { XmlText } from './xml-text.ts';

/** Hardware that echoes its commands, until the robot's own takes its place. */
const HARDWARE = 'mock_components/GenericSystem';

/** Writes a `ros2_control` block: a command for each driven freedom, states for all that move. */
export function writeRos2Control(
	root: XmlText,
	name: string,
	joints: readonly ConversionJoint[],
	names: readonly string[],
	followers: ReadonlySet<number>,
): void {
	const system = root.add('ros2_control', { name, type: 'system' });
	system.add('hardware').add('plugin', {}, HARDWARE);
	for (const [index, { freedoms }] of joints.entries()) {
		const freedom = freedoms[0];
		if (freedom === undefined || freedoms.length > 1) continue;
		const joint = system.add('joint', { name: names[index] });
		const { drive, lower, upper } = freedom;
		// a joint that follows another takes no commands of its own
		if (!followers.has(index)) {
			const command = drive === undefined ? 'effort' : drive.stiffness > 0 ? 'position' : 'velocity';
			const element = joint.add('command_interface', { name: command });
			if (command === 'position' && Number.isFinite(lower) && Number.isFinite(upper)) {
				element.add('param', { name: 'min' }, lower);
				element.add('param', { name: 'max' }, upper);
			}
		}
		for (const state of ['position', 'velocity', 'effort']) joint.add('state_interface', { name: state });
	}
}
