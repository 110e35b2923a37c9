import { arcTangent } from '@manyworlds/core/internal';
import type { MjcfDocument, MjcfElement, MjcfValue } from '@manyworlds/formats';
import {
	ORIENTATION_SIZES,
	type OrientationKind,
	orientationQuaternion,
	readNumbers,
} from '@manyworlds/formats/internal';
import type { ImportMjcfResult, MjcfContainer } from '@manyworlds/import';
import type { Model } from '@manyworlds/model';
import { toLinear } from '../model/colour.ts';
import type { ItemKind } from '../model/conversion-ledger.ts';
import type {
	ConversionCamera,
	ConversionLight,
	ConversionOther,
	ConversionSensor,
	SensorKind,
} from '../model/conversion-model.ts';
import type { LossCode } from '../model/loss-codes.ts';
import { compose, identityPose } from '../model/pose.ts';
import { quatBetweenDirections } from './quat-between.ts';

/** What an MJCF model says beyond bodies, joints and geoms. */
export interface MjcfExtras {
	readonly lights: ConversionLight[];
	readonly cameras: ConversionCamera[];
	readonly sensors: ConversionSensor[];
	readonly others: ConversionOther[];
}

/** Reads lights, cameras and sensors, and lists what has no counterpart in the model. */
export function mjcfExtras(imported: ImportMjcfResult, model: Model): MjcfExtras {
	return new ExtrasReader(imported, model).read();
}

class ExtrasReader {
	readonly #imported: ImportMjcfResult;
	readonly #mjcf: MjcfDocument;
	readonly #model: Model;
	readonly #extras: MjcfExtras = { lights: [], cameras: [], sensors: [], others: [] };

	constructor(imported: ImportMjcfResult, model: Model) {
		this.#imported = imported;
		this.#mjcf = imported.document;
		this.#model = model;
	}

	read(): MjcfExtras {
		for (const [element, container] of this.#imported.elements.containers) {
			for (const child of element.children) {
				if (child.name === 'camera') this.#camera(child, container);
				else if (child.name === 'light') this.#light(child, container);
				else if (child.name in PARTS) this.#other(child, ...PARTS[child.name]!);
			}
		}
		for (const section of this.#mjcf.sections('sensor')) {
			for (const element of section.children) this.#sensor(element);
		}
		for (const section of this.#mjcf.sections('actuator')) {
			for (const element of section.children) if (!this.#isDrive(element)) this.#other(element, 'actuator', 'actuator');
		}
		for (const [name, kind, code, tags] of SECTIONS) {
			for (const section of this.#mjcf.sections(name)) {
				for (const element of section.children) {
					if (tags === undefined || tags.includes(element.name)) this.#other(element, kind, code);
				}
			}
		}
		return this.#extras;
	}

	#other(element: MjcfElement, kind: ItemKind, code: LossCode): void {
		const what = `<${element.name}> of <${element.parent?.name ?? 'mujoco'}>`;
		this.#extras.others.push({ kind, name: element.ownName ?? '', code, what, from: element.location });
	}

	#camera(element: MjcfElement, container: MjcfContainer): void {
		const values = this.#mjcf.attributesOf(element, container.ambient);
		const [width = 1, height = 1] = numbersOf(values, 'resolution') ?? [];
		const sensor = numbersOf(values, 'sensorsize');
		const focal = numbersOf(values, 'focal');
		const isMeasured = sensor?.length === 2 && focal?.length === 2 && sensor[1]! > 0 && focal[1]! > 0;
		// in degrees whatever the compiler says
		const fovy = ((numbersOf(values, 'fovy')?.[0] ?? 45) * Math.PI) / 180;
		const isOrthographic =
			values.get('orthographic')?.text === 'true' || values.get('projection')?.text === 'orthographic';
		const name = element.ownName ?? `camera_${this.#extras.cameras.length}`;
		this.#extras.cameras.push({
			name,
			body: container.body,
			pose: this.#pose(values, container),
			projection: isOrthographic ? 'orthographic' : 'perspective',
			vertical: isOrthographic
				? (numbersOf(values, 'fovy')?.[0] ?? 45)
				: isMeasured
					? 2 * arcTangent(sensor[1]! / 2 / focal[1]!)
					: fovy,
			aspect: isMeasured ? sensor[0]! / sensor[1]! : width / height,
			near: 0.01,
			far: 100,
			...(width > 1 && height > 1 ? { resolution: [width, height] as const } : {}),
			...(values.get('mode') === undefined || values.get('mode')!.text === 'fixed' ? {} : { isOffCentre: true }),
			from: element.location,
		});
	}

	#light(element: MjcfElement, container: MjcfContainer): void {
		const values = this.#mjcf.attributesOf(element, container.ambient);
		const type = values.get('type')?.text;
		const isDirectional = type === 'directional' || values.get('directional')?.text === 'true';
		const cutoff = (numbersOf(values, 'cutoff')?.[0] ?? 45) * (Math.PI / 180);
		const direction = numbersOf(values, 'dir') ?? Float64Array.of(0, 0, -1);
		const place = identityPose();
		place.set(numbersOf(values, 'pos') ?? [0, 0, 0]);
		place.set(quatBetweenDirections([0, 0, -1], Array.from(direction)), 3);
		const [r = 0.7, g = 0.7, b = 0.7] = numbersOf(values, 'diffuse') ?? [];
		const most = Math.max(r, g, b, 1e-9);
		const intensity = numbersOf(values, 'intensity')?.[0] ?? 0;
		this.#extras.lights.push({
			name: element.ownName ?? `light_${this.#extras.lights.length}`,
			body: container.body,
			pose: container.frame === undefined ? place : compose(container.frame, place),
			kind: isDirectional ? 'directional' : type === 'image' ? 'dome' : type === 'point' ? 'point' : 'spot',
			color: [toLinear(r / most), toLinear(g / most), toLinear(b / most)],
			// MuJoCo's light is a share of white unless it is given in candela
			intensity: intensity > 0 ? intensity : most,
			...(isDirectional || type === 'point' ? {} : { cone: { inner: 0, outer: cutoff } }),
			...(values.get('castshadow')?.text === 'false' ? { castsShadows: false } : {}),
			from: element.location,
		});
	}

	#sensor(element: MjcfElement): void {
		const kind = SENSORS[element.name];
		const site = this.#imported.sites.get((element.get('site') ?? '').replaceAll('-', '_'));
		if (kind === undefined || site === undefined) {
			this.#other(element, 'sensor', 'sensor');
			return;
		}
		const { shapeBody, shapeTransform } = this.#model;
		const pose = shapeTransform.slice(7 * site, 7 * site + 7);
		this.#extras.sensors.push({
			name: element.ownName ?? `${element.name}_${this.#extras.sensors.length}`,
			kind,
			body: shapeBody[site]!,
			// a range is measured along z, beams of a lidar lie about x
			pose: kind === 'lidar' ? compose(pose, Z_TO_X) : pose,
			...(kind === 'lidar'
				? {
						beams: {
							horizontal: { samples: 1, lower: 0, upper: 0 },
							near: 0,
							far: Number(element.get('cutoff')) || Number.POSITIVE_INFINITY,
						},
					}
				: {}),
			...noiseOf(element),
			from: element.location,
		});
	}

	/** Whether an actuator became the drive of its joint. */
	#isDrive(element: MjcfElement): boolean {
		if (element.name !== 'position' && element.name !== 'velocity') return false;
		const joint = element.get('joint');
		const place = joint === undefined ? undefined : this.#imported.joints.get(joint.replaceAll('-', '_'));
		if (place === undefined) return false;
		const { jointTargetMode, jointTargetKe, jointTargetKd } = this.#model;
		return jointTargetMode[place.dof] !== 0 && (jointTargetKe[place.dof]! > 0 || jointTargetKd[place.dof]! > 0);
	}

	#pose(values: ReadonlyMap<string, MjcfValue>, { frame }: MjcfContainer): Float64Array {
		const own = identityPose();
		own.set(numbersOf(values, 'pos') ?? [0, 0, 0]);
		for (const kind of Object.keys(ORIENTATION_SIZES) as OrientationKind[]) {
			const numbers = numbersOf(values, kind);
			const turn = numbers === undefined ? undefined : orientationQuaternion(kind, numbers, this.#mjcf.compiler);
			if (turn !== undefined) own.set(turn, 3);
		}
		return frame === undefined ? own : compose(frame, own);
	}
}

/** The standard deviation that MuJoCo leaves to others to apply. */
function noiseOf(element: MjcfElement): Pick<ConversionSensor, 'noise'> {
	const sigma = Number(element.get('noise') ?? 0);
	if (!(sigma > 0)) return {};
	const all = [sigma, sigma, sigma] as const;
	if (element.name === 'rangefinder') return { noise: { range: sigma } };
	const field = NOISES[element.name];
	return field === undefined ? {} : { noise: { [field]: all } };
}

function numbersOf(values: ReadonlyMap<string, MjcfValue>, name: string): Float64Array | undefined {
	const text = values.get(name)?.text;
	return text === undefined ? undefined : readNumbers(text);
}

/** A quarter turn that takes x to z. */
const Z_TO_X = Float64Array.of(0, 0, 0, 0, -Math.SQRT1_2, 0, Math.SQRT1_2);

/** What the noise of a sensor is added to. */
const NOISES: Readonly<Record<string, string>> = {
	accelerometer: 'linearAcceleration',
	gyro: 'angularVelocity',
	force: 'force',
	torque: 'torque',
};

/** Sensors at a site that this model has too. */
const SENSORS: Readonly<Record<string, SensorKind>> = {
	accelerometer: 'accelerometer',
	gyro: 'gyro',
	touch: 'contact',
	force: 'wrench',
	torque: 'wrench',
	magnetometer: 'magnetometer',
	rangefinder: 'lidar',
};

/** Elements of bodies that have no counterpart. */
const PARTS: Readonly<Record<string, readonly [ItemKind, LossCode]>> = {
	composite: ['flexible', 'flexible'],
	flexcomp: ['flexible', 'flexible'],
	plugin: ['plugin', 'plugin'],
	attach: ['metadata', 'metadata'],
};

/** Sections whose elements have no counterpart, or some of them. */
const SECTIONS: readonly (readonly [string, ItemKind, LossCode, (readonly string[])?])[] = [
	['tendon', 'tendon', 'tendon'],
	['keyframe', 'keyframe', 'keyframe', ['key']],
	['equality', 'equality', 'equality', ['tendon', 'flex', 'flexvert', 'flexstrain']],
	['contact', 'contact-pair', 'contact-pair', ['pair']],
	['deformable', 'flexible', 'flexible'],
	['extension', 'plugin', 'plugin'],
	['custom', 'metadata', 'metadata'],
];
