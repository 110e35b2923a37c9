import type { DiagnosticDetails } from '@manyworlds/core';
import type { Prim, Stage } from '@manyworlds/usd';
import {
	authoredNumber,
	authoredText,
	ContextResolver,
	isLight,
	readCamera,
	readInterfaces,
	readLight,
	readQos,
	traverse,
} from '@manyworlds/usd/internal';
import { motionOf } from '../gltf/stage-motion.ts';
import { gltfCamera, punctualLight } from '../gltf/usd-lights.ts';
import type { ItemKind } from '../model/conversion-ledger.ts';
import type {
	ConversionCamera,
	ConversionInterface,
	ConversionLight,
	ConversionOther,
	ConversionSensor,
	SensorKind,
} from '../model/conversion-model.ts';
import type { LossCode } from '../model/loss-codes.ts';

/** Where prims stand: on which body, and how. */
export interface PrimPlaces {
	/** The nearest body at or above a prim, -1 for the world, and the pose of the prim in it. */
	readonly on: (prim: Prim) => { readonly body: number; readonly pose: Float64Array };
	/** Name of the link or frame that a prim is, or of the nearest one above it. */
	readonly frame: (prim: Prim) => string | undefined;
	/** Whether the joint at a path has a drive. */
	readonly isDriven: (path: string) => boolean;
	readonly file: string;
	/** Metres of a unit of the stage. */
	readonly unit: number;
}

/** What a stage says beyond bodies, joints and shapes. */
export interface UsdExtras {
	readonly lights: ConversionLight[];
	readonly cameras: ConversionCamera[];
	readonly sensors: ConversionSensor[];
	readonly interfaces: ConversionInterface[];
	readonly others: ConversionOther[];
}

/** Reads lights, cameras, sensors and ROS interfaces of a stage, and lists what has no counterpart in the model. */
export function usdExtras(stage: Stage, places: PrimPlaces): UsdExtras {
	const extras: UsdExtras = { lights: [], cameras: [], sensors: [], interfaces: [], others: [] };
	const contexts = new ContextResolver();
	for (const prim of traverse(stage.pseudoRoot)) {
		const from: DiagnosticDetails = { file: places.file, prim: prim.path.toString() };
		const sensor = sensorKind(prim);
		if (prim.isA('Camera')) extras.cameras.push(cameraOf(prim, places, from));
		else if (isLight(prim) && !prim.isA('Gprim')) extras.lights.push(lightOf(prim, places, from));
		else if (sensor !== undefined) extras.sensors.push({ name: prim.name, kind: sensor, ...places.on(prim), from });
		extras.interfaces.push(...interfacesOf(prim, contexts, places, from));
		const other = otherOf(prim, places);
		if (other !== undefined) extras.others.push({ name: prim.name, from, ...other });
		for (const set of prim.variantSets()) {
			const variants = prim.variants(set);
			if (variants.length < 2) continue;
			const selected = prim.variantSelection(set);
			const what = 'the variant set';
			const kept = `only ${selected === '' ? 'what is outside of its variants' : `the variant '${selected}'`} is written`;
			extras.others.push({ name: `${prim.path}:${set}`, from, kind: 'variant', code: 'variant-dropped', what, kept });
		}
		if (motionOf(prim) !== undefined) {
			extras.others.push({ name: prim.name, from, kind: 'animation', code: 'animation', what: 'motion over time of' });
		}
	}
	return extras;
}

function cameraOf(prim: Prim, places: PrimPlaces, from: DiagnosticDetails): ConversionCamera {
	const camera = readCamera(prim)!;
	const written = gltfCamera(prim, places.unit);
	const perspective = 'object' in written ? (written.object['perspective'] as { readonly yfov: number }) : undefined;
	const isOrthographic = camera.projection === 'orthographic';
	return {
		name: prim.name,
		...places.on(prim),
		projection: camera.projection,
		vertical: isOrthographic ? (camera.verticalAperture / 10) * places.unit : (perspective?.yfov ?? Math.PI / 4),
		aspect: camera.verticalAperture > 0 ? camera.horizontalAperture / camera.verticalAperture : 1,
		near: Math.max(1e-3, camera.clippingRange[0] * places.unit),
		far: camera.clippingRange[1] * places.unit,
		...(camera.horizontalApertureOffset === 0 && camera.verticalApertureOffset === 0 ? {} : { isOffCentre: true }),
		from,
	};
}

function lightOf(prim: Prim, places: PrimPlaces, from: DiagnosticDetails): ConversionLight {
	const written = punctualLight(prim, places.unit);
	const shared = { name: prim.name, ...places.on(prim), from };
	if ('dropped' in written) {
		const { color, brightness } = readLight(prim)!;
		return {
			...shared,
			kind: written.dropped[0] === 'dome-light' ? 'dome' : 'area',
			color: [color[0]!, color[1]!, color[2]!],
			intensity: brightness,
		};
	}
	const {
		type,
		color = [1, 1, 1],
		intensity,
		spot,
	} = written.object as {
		readonly type: 'point' | 'spot' | 'directional';
		readonly color?: [number, number, number];
		readonly intensity: number;
		readonly spot?: { readonly innerConeAngle: number; readonly outerConeAngle: number };
	};
	return {
		...shared,
		kind: type,
		color,
		intensity,
		...(spot === undefined ? {} : { cone: { inner: spot.innerConeAngle, outer: spot.outerConeAngle } }),
	};
}

function interfacesOf(
	prim: Prim,
	contexts: ContextResolver,
	places: PrimPlaces,
	from: DiagnosticDetails,
): ConversionInterface[] {
	const found: ConversionInterface[] = readInterfaces(prim, contexts).map((own) => {
		const rate = authoredNumber(prim, `${own.schema.prefix}:publish_rate`);
		const frame = authoredText(prim, 'ros:topic:override_frame_id') || places.frame(prim);
		return {
			kind: own.schema.noun,
			name: own.resolvedName ?? '',
			type: own.type ?? '',
			role: own.role ?? '',
			...(rate === undefined ? {} : { rate }),
			...(own.schema.noun === 'topic' ? { qos: readQos(prim) } : {}),
			...(frame === undefined ? {} : { frame }),
			body: places.on(prim).body,
			startsEnabled: own.startsEnabled,
			...(own.domain === undefined ? {} : { domain: own.domain }),
			from,
		};
	});
	const controllers = prim.appliedSchemas.filter((name) => /^RosControl(?!Integrated|External)/.test(name));
	for (const type of controllers) {
		found.push({
			kind: 'controller',
			name: prim.name,
			type,
			role: '',
			body: places.on(prim).body,
			startsEnabled: true,
			from,
		});
	}
	return found;
}

/** Sensors of programs that have schemas for them, by the end of the name of the type or schema. */
function sensorKind(prim: Prim): SensorKind | undefined {
	for (const name of [prim.typeName, ...prim.appliedSchemas]) {
		for (const [pattern, kind] of SENSORS) if (pattern.test(name)) return kind;
	}
	return undefined;
}

const SENSORS: readonly (readonly [RegExp, SensorKind])[] = [
	[/ImuSensor(?:API)?$/, 'imu'],
	[/ContactSensor(?:API)?$/, 'contact'],
	[/Lidar(?:Sensor)?(?:API)?$/, 'lidar'],
];

/** What has no counterpart: joints that are switched off, things of other programs. */
function otherOf(prim: Prim, places: PrimPlaces): Pick<ConversionOther, 'kind' | 'code' | 'what'> | undefined {
	const { typeName } = prim;
	if (prim.isA('PhysicsJoint') && prim.attribute('physics:jointEnabled').get()?.data === false) {
		return { kind: 'joint', code: 'joint-disabled', what: 'the joint that is switched off' };
	}
	if (typeName === 'MjcActuator') {
		const targets = prim.relationship('mjc:target').targets();
		if (targets.some((path) => places.isDriven(path.toString()))) return undefined;
	}
	const known = TYPES[typeName];
	return known === undefined ? undefined : { kind: known[0], code: known[1], what: known[2] };
}

const TYPES: Readonly<Record<string, readonly [ItemKind, LossCode, string]>> = {
	MjcActuator: ['actuator', 'actuator', 'the actuator'],
	NewtonActuator: ['actuator', 'actuator', 'the actuator'],
	MjcTendon: ['tendon', 'tendon', 'the tendon'],
	MjcKeyframe: ['keyframe', 'keyframe', 'the keyframe'],
	PhysicsCollisionGroup: ['collision-group', 'collision-group', 'the group of colliders'],
};
