import type { MjcfElement } from '@manyworlds/formats';
import { toScreen } from '../model/colour.ts';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	ConversionCamera,
	ConversionLight,
	ConversionModel,
	ConversionSensor,
} from '../model/conversion-model.ts';
import { compose, turned } from '../model/pose.ts';
import { scopelessName, UniqueNames } from './unique-names.ts';

/** Position and orientation as attributes of MJCF. */
export type MjcfPlace = (pose: Float64Array) => { pos?: number[]; quat?: number[] };

/** Where devices go. */
export interface MjcfDevicePlaces {
	/** The element of a body, that of the world for -1. */
	readonly bodyOf: (body: number) => MjcfElement;
	readonly sites: UniqueNames;
	readonly placeOf: MjcfPlace;
}

/** Writes lights, cameras and sensors into an MJCF model. Each is held, or stays lost with a reason. */
export function writeMjcfDevices(
	root: MjcfElement,
	model: ConversionModel,
	places: MjcfDevicePlaces,
	ledger: ConversionLedger,
): void {
	const lights = new UniqueNames();
	for (const [index, light] of model.lights.entries()) writeLight(index, light, places, lights, ledger);
	const cameras = new UniqueNames();
	for (const [index, camera] of model.cameras.entries()) writeCamera(index, camera, places, cameras, ledger);
	if (model.sensors.every(({ kind }) => PARTS[kind] === undefined)) return;
	const section = root.add('sensor');
	const names = new UniqueNames();
	for (const [index, sensor] of model.sensors.entries()) writeSensor(section, index, sensor, places, names, ledger);
	if (section.children.length === 0) root.remove(section);
}

function writeLight(
	index: number,
	light: ConversionLight,
	{ bodyOf }: MjcfDevicePlaces,
	names: UniqueNames,
	ledger: ConversionLedger,
): void {
	const { name, kind, color, intensity, cone, pose } = light;
	if (kind === 'area' || kind === 'dome') {
		ledger.hold('light', index);
		const message = `light '${name}' has a shape, MuJoCo has spots and the sun`;
		ledger.drop('light', index, kind === 'area' ? 'area-light' : 'dome-light', message);
		return;
	}
	bodyOf(light.body).add('light', {
		name: names.take(scopelessName(name)),
		pos: pose.subarray(0, 3),
		dir: turned(pose, [0, 0, -1]),
		directional: kind === 'directional' ? true : undefined,
		cutoff: kind === 'directional' ? undefined : cone === undefined ? 180 : (cone.outer * 180) / Math.PI,
		diffuse: color.map(toScreen),
		castshadow: light.castsShadows,
	});
	ledger.hold('light', index);
	if (intensity === 1) return;
	const message = `the strength of light '${name}' is ${intensity}, MuJoCo's lights are shares of white`;
	ledger.approximate('light', index, 'light', message);
}

function writeCamera(
	index: number,
	camera: ConversionCamera,
	{ bodyOf, placeOf }: MjcfDevicePlaces,
	names: UniqueNames,
	ledger: ConversionLedger,
): void {
	const { name, projection, vertical, pose, resolution } = camera;
	const isOrthographic = projection === 'orthographic';
	bodyOf(camera.body).add('camera', {
		name: names.take(scopelessName(name)),
		...placeOf(pose),
		// in degrees whatever the compiler says
		fovy: isOrthographic ? vertical : (vertical * 180) / Math.PI,
		orthographic: isOrthographic ? true : undefined,
		resolution,
	});
	ledger.hold('camera', index);
	if (camera.isOffCentre === true) {
		const message = `camera '${name}' looks off its axis or follows something, it is written as fixed and straight`;
		ledger.approximate('camera', index, 'camera-offset', message);
	}
	if (camera.measures !== undefined && camera.measures !== 'color') {
		ledger.approximate('camera', index, 'camera', `camera '${name}' measures ${camera.measures}, MuJoCo's see colours`);
	}
}

/** What MuJoCo measures for each kind of sensor; undefined for what it cannot. */
const PARTS: Readonly<Partial<Record<ConversionSensor['kind'], readonly string[]>>> = {
	imu: ['accelerometer', 'gyro'],
	accelerometer: ['accelerometer'],
	gyro: ['gyro'],
	contact: ['touch'],
	wrench: ['force', 'torque'],
	magnetometer: ['magnetometer'],
	lidar: ['rangefinder'],
};

/** Half the size [m] of the site in which contacts are felt, where the source names no place. */
const TOUCH_SIZE = 0.1;

function writeSensor(
	section: MjcfElement,
	index: number,
	sensor: ConversionSensor,
	{ bodyOf, sites, placeOf }: MjcfDevicePlaces,
	names: UniqueNames,
	ledger: ConversionLedger,
): void {
	const { name, kind, beams } = sensor;
	const parts = PARTS[kind];
	const isFan = kind === 'lidar' && (beams?.horizontal.samples ?? 2) * (beams?.vertical?.samples ?? 1) > 1;
	if (parts === undefined || isFan) {
		ledger.hold('sensor', index);
		const what = isFan ? 'has many beams, MuJoCo measures along one' : `is a ${kind}, which MuJoCo does not have`;
		ledger.drop('sensor', index, 'sensor', `sensor '${name}' ${what}`);
		return;
	}
	const site = sites.take(`${scopelessName(name)}_site`);
	// a range is measured along z of the site
	const pose = kind === 'lidar' ? compose(sensor.pose, X_TO_Z) : sensor.pose;
	bodyOf(sensor.body).add('site', {
		name: site,
		...placeOf(pose),
		size: kind === 'contact' ? TOUCH_SIZE : undefined,
	});
	for (const part of parts) {
		const own = parts.length === 1 ? scopelessName(name) : `${scopelessName(name)}_${part}`;
		const cutoff = part === 'rangefinder' && Number.isFinite(beams?.far) ? beams!.far : undefined;
		section.add(part, { name: names.take(own), site, cutoff });
	}
	ledger.hold('sensor', index);
	if (kind === 'contact') {
		const message = `sensor '${name}' feels contacts within ${TOUCH_SIZE} m of its place, MuJoCo knows no shapes for it`;
		ledger.approximate('sensor', index, 'sensor', message);
	}
}

/** A quarter turn that takes z to x. */
const X_TO_Z = Float64Array.of(0, 0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2);
