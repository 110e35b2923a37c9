import type { Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { SdfSensor, UrdfRobot } from '@manyworlds/formats';
import { readSdfSensor } from '@manyworlds/formats/internal';
import type { ItemKind } from '../model/conversion-ledger.ts';
import type {
	ConversionCamera,
	ConversionHardware,
	ConversionJoint,
	ConversionOther,
	ConversionSensor,
} from '../model/conversion-model.ts';
import type { LossCode } from '../model/loss-codes.ts';
import { compose } from '../model/pose.ts';
import { SdfSensors } from './sdf-sensors.ts';

/** What a URDF file says beyond links and joints. */
export interface UrdfExtras {
	readonly cameras: readonly ConversionCamera[];
	readonly sensors: readonly ConversionSensor[];
	readonly others: readonly ConversionOther[];
	readonly hardware?: readonly ConversionHardware[];
}

/** Bodies and joints by the names of the file. */
export interface UrdfNames {
	readonly body: (link: string) => number | undefined;
	readonly joints: readonly ConversionJoint[];
}

/** Sensors that `gazebo` elements put on links and joints, as SDF has them, and what has no counterpart in the model. */
export function urdfExtras({ others: elements }: UrdfRobot, names: UrdfNames, report: Report): UrdfExtras {
	const others: ConversionOther[] = [];
	const devices = new SdfSensors(others);
	const jointOf = new Map(names.joints.map((joint, index) => [joint.name, index]));
	const mount = (sensor: SdfSensor, reference: string): boolean => {
		const body = names.body(reference);
		if (body !== undefined) {
			devices.add(sensor, { body, pose: sensor.pose.values });
			return true;
		}
		const index = jointOf.get(reference);
		if (index === undefined) return false;
		const { child, childFrame } = names.joints[index]!;
		devices.add(sensor, { body: child, pose: compose(childFrame, sensor.pose.values), joint: index });
		return true;
	};
	const add = (element: XmlElement): void => {
		const [kind, code] = KINDS[element.name] ?? ['metadata', 'metadata'];
		const name = element.get('name') ?? element.get('reference') ?? '';
		const what = `<${element.name}> of <${element.parent?.name ?? 'robot'}>`;
		others.push({ kind, name, code, what, from: element.location });
	};
	for (const element of elements) {
		if (element.name !== 'gazebo') {
			add(element);
			continue;
		}
		const reference = element.get('reference') ?? '';
		for (const child of element.children) {
			const sensor = child.name === 'sensor' ? readSdfSensor(child, report) : undefined;
			if (sensor === undefined || !mount(sensor, reference)) add(child);
		}
	}
	const blocks = elements.filter(({ name }) => name === 'ros2_control');
	return {
		cameras: devices.cameras,
		sensors: devices.sensors,
		others,
		...(blocks.length > 0 && { hardware: blocks.flatMap(hardwareOf) }),
	};
}

/** The joints of a `ros2_control` block. */
function hardwareOf(block: XmlElement): ConversionHardware[] {
	return block.childrenNamed('joint').map((joint) => {
		const names = (kind: string): string[] => joint.childrenNamed(kind).flatMap((one) => one.get('name')?.trim() ?? []);
		return {
			joint: joint.get('name')?.trim() ?? '',
			commands: names('command_interface'),
			states: names('state_interface'),
			from: joint.location,
		};
	});
}

const KINDS: Readonly<Record<string, readonly [ItemKind, LossCode]>> = {
	transmission: ['transmission', 'controller'],
	ros2_control: ['controller', 'controller'],
	plugin: ['plugin', 'plugin'],
	sensor: ['sensor', 'sensor'],
};
