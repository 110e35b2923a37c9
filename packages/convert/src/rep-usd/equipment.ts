import { tangent } from '@manyworlds/core/internal';
import { type Path, T } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	ConversionCamera,
	ConversionFrame,
	ConversionInterface,
	ConversionLight,
	ConversionModel,
} from '../model/conversion-model.ts';
import { compose, identityPose } from '../model/pose.ts';
import type { LayerBuilder } from './layer-builder.ts';
import { frameId } from './prim-names.ts';
import { SCOPES, type StageLayout } from './stage-layout.ts';

/** Vertical aperture of cameras, as UsdGeomCamera has it unless told otherwise [tenths of a unit]. */
const APERTURE = 15.2908;

/** Half a turn about x: optical frames of ROS look along +z, cameras of USD along -z (REP 2.8). */
const OPTICAL = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

const DEGREES = 180 / Math.PI;

/** Tells which frames are optical frames of cameras, which are below them on the stage (REP 2.8). */
export function opticalFrames({ cameras }: ConversionModel): (frame: ConversionFrame) => boolean {
	return ({ name, body, pose }) =>
		cameras.some((camera) => {
			const isOther = camera.opticalFrame !== undefined && camera.opticalFrame !== name;
			return !isOther && camera.body >= 0 && camera.body === body && isOptical(camera, pose);
		});
}

/** Whether a pose is that of the optical frame of a camera. */
function isOptical(camera: ConversionCamera, pose: Float64Array): boolean {
	const own = compose(camera.pose, OPTICAL);
	const dot = [3, 4, 5, 6].reduce((sum, k) => sum + own[k]! * pose[k]!, 0);
	const distance = Math.hypot(own[0]! - pose[0]!, own[1]! - pose[1]!, own[2]! - pose[2]!);
	return distance < 1e-6 && Math.abs(dot) > 1 - 1e-6;
}

/** Writes what robots carry beside links and joints: cameras, lights, places of sensors, interfaces of ROS. */
export class Equipment {
	readonly #base: LayerBuilder;
	readonly #ros: LayerBuilder;
	readonly #layout: StageLayout;
	/** Whether what is on a link moves against the robot as a whole. */
	readonly #isMoving: (body: number) => boolean;
	readonly #ledger: ConversionLedger;
	/** Prims of frames by their names in ROS. */
	readonly #frames = new Map<string, Path>();

	constructor(
		layers: { readonly base: LayerBuilder; readonly ros: LayerBuilder },
		layout: StageLayout,
		isMoving: (body: number) => boolean,
		ledger: ConversionLedger,
	) {
		this.#base = layers.base;
		this.#ros = layers.ros;
		this.#layout = layout;
		this.#isMoving = isMoving;
		this.#ledger = ledger;
		for (const placed of [...layout.frames, ...layout.links]) {
			if (placed !== undefined) this.#frames.set(placed.frameId ?? placed.path.name, placed.path);
		}
	}

	write(model: ConversionModel): void {
		const { cameras, lights, sensors, interfaces } = model;
		const isPart = opticalFrames(model);
		for (const [index, camera] of cameras.entries()) {
			if (this.#isOutside('camera', index, camera)) continue;
			this.#ledger.hold('camera', index);
			const optical = model.frames.find((frame) => isPart(frame) && isOptical(camera, frame.pose));
			this.#writeCamera(optical === undefined ? camera : { ...camera, opticalFrame: optical.name });
			if (camera.isOffCentre === true) {
				const message = `camera '${camera.name}' looks along its axis; its image lay off it`;
				this.#ledger.approximate('camera', index, 'camera-offset', message);
			}
		}
		for (const [index, light] of lights.entries()) {
			if (light.kind === 'area' || light.kind === 'dome' || this.#isOutside('light', index, light)) continue;
			this.#ledger.hold('light', index);
			this.#writeLight(light);
		}
		for (const [index, { name, body, pose, kind }] of sensors.entries()) {
			const path = this.#base.define(this.#layout.addChild(body, name, `${kind}_${index}`), 'Xform');
			this.#base.place(path, pose);
			this.#writeFrame(path, frameId(path.name, path.name), body);
			this.#ledger.hold('sensor', index);
			const message = `${kind} '${name}' is a frame; REP 0158 has no schema for what it measures`;
			this.#ledger.approximate('sensor', index, 'sensor', message);
		}
		for (const [index, own] of interfaces.entries()) this.#writeInterface(own, index);
	}

	/** Says that what stands in the world is no part of a robot. */
	#isOutside(kind: 'camera' | 'light', index: number, { body, name }: ConversionCamera | ConversionLight): boolean {
		if (body >= 0) return false;
		this.#ledger.hold(kind, index);
		this.#ledger.drop(kind, index, 'surroundings', `${kind} '${name}' belongs to the world, not to the robot`);
		return true;
	}

	#writeCamera(camera: ConversionCamera): void {
		const base = this.#base;
		const { name, body, pose, projection, vertical, aspect, near, far } = camera;
		const path = base.define(this.#layout.addChild(body, name, 'camera'), 'Camera');
		const isFlat = projection === 'orthographic';
		// lengths of lenses and images are tenths of a unit
		const aperture = isFlat ? 10 * vertical : APERTURE;
		base.attribute(path, 'clippingRange', T.float2, Float32Array.of(near, Math.min(far, 1e6)));
		if (!isFlat) base.attribute(path, 'focalLength', T.float, Math.fround(aperture / 2 / tangent(vertical / 2)));
		base.attribute(path, 'horizontalAperture', T.float, Math.fround(aperture * aspect));
		if (isFlat) base.attribute(path, 'projection', T.token, 'orthographic');
		base.attribute(path, 'verticalAperture', T.float, Math.fround(aperture));
		base.place(path, pose);
		const wanted = camera.opticalFrame ?? `${path.name}_optical_frame`;
		const frame = base.define(this.#layout.addBelow(path, wanted, 'optical_frame'), 'Xform');
		base.place(frame, OPTICAL);
		this.#writeFrame(frame, this.#frames.has(wanted) ? frame.name : frameId(wanted, frame.name), body);
	}

	#writeLight({ name, body, pose, kind, color, intensity, cone }: ConversionLight): void {
		const base = this.#base;
		const isDistant = kind === 'directional';
		const path = base.define(this.#layout.addChild(body, name, 'light'), isDistant ? 'DistantLight' : 'SphereLight');
		base.attribute(path, 'inputs:color', T.float3, Float32Array.from(color), { typeName: 'color3f' });
		if (isDistant) {
			base.attribute(path, 'inputs:angle', T.float, 0);
			base.attribute(path, 'inputs:intensity', T.float, Math.fround(intensity));
		} else {
			// a sphere of luminance L that is normalized shines L / 4 candela
			base.attribute(path, 'inputs:intensity', T.float, Math.fround(4 * intensity));
			base.attribute(path, 'inputs:normalize', T.bool, true);
			base.attribute(path, 'inputs:radius', T.float, Math.fround(0.01));
		}
		if (kind === 'spot' && cone !== undefined) {
			base.apply(path, ['ShapingAPI']);
			base.attribute(path, 'inputs:shaping:cone:angle', T.float, Math.fround(cone.outer * DEGREES));
			const softness = cone.outer > 0 ? 1 - cone.inner / cone.outer : 0;
			base.attribute(path, 'inputs:shaping:cone:softness', T.float, Math.fround(softness));
		}
		base.place(path, pose);
	}

	#writeFrame(path: Path, id: string, body: number): void {
		this.#ros.apply(path, ['RosFrameAPI']);
		this.#ros.uniform(path, 'ros:frame:id', T.string, id);
		if (this.#isMoving(body)) this.#ros.uniform(path, 'ros:frame:static', T.bool, false);
		this.#frames.set(id, path);
	}

	/** A topic, service or action on a prim of its own (REP 2.2); controllers need joints that they name. */
	#writeInterface(own: ConversionInterface, index: number): void {
		const { kind, role, name, type, rate, qos, frame, startsEnabled, body } = own;
		if (kind === 'controller' || role === '' || type === '') return;
		// a publisher must say how often
		if (kind === 'topic' && role === 'publisher' && !(rate !== undefined && rate > 0)) return;
		const space = `/${this.#layout.root.name}/`;
		const wanted = name.split('/').at(-1) ?? kind;
		// messages are stamped with the frame that an interface lies below (REP 2.7)
		const holder = frame === undefined ? undefined : this.#frames.get(frame);
		const isBelow = holder !== undefined || body >= 0;
		const path =
			holder !== undefined
				? this.#layout.addBelow(holder, wanted, kind)
				: isBelow
					? this.#layout.addChild(body, wanted, kind)
					: this.#robotWide(wanted, index);
		this.#base.define(path, 'Xform');
		if (isBelow) this.#base.place(path, identityPose());
		const ros = this.#ros;
		const prefix = `ros:${kind}`;
		ros.apply(path, [{ topic: 'RosTopicAPI', service: 'RosServiceAPI', action: 'RosActionAPI' }[kind]]);
		ros.uniform(path, `${prefix}:name`, T.string, name.startsWith(space) ? name.slice(space.length) : name);
		ros.uniform(path, `${prefix}:role`, T.token, role);
		ros.uniform(path, `${prefix}:type`, T.string, type);
		if (!startsEnabled) ros.uniform(path, `${prefix}:starts_enabled`, T.bool, false);
		if (kind === 'topic') {
			if (role === 'publisher') ros.uniform(path, 'ros:topic:publish_rate', T.double, rate!);
			if (frame !== undefined && !isBelow) ros.uniform(path, 'ros:topic:override_frame_id', T.string, frame);
			for (const part of ['reliability', 'durability', 'history'] as const) {
				const value = qos?.[part];
				if (value !== undefined && value !== 'system_default')
					ros.uniform(path, `ros:topic:qos:${part}`, T.token, value);
			}
			if (qos?.history === 'keep_last') ros.uniform(path, 'ros:topic:qos:depth', T.int, qos.depth);
		}
		this.#ledger.hold('interface', index);
	}

	/** A place for an interface of the robot as a whole. */
	#robotWide(wanted: string, index: number): Path {
		const scope = this.#layout.root.appendChild(SCOPES.interfaces);
		if (!this.#base.layer.has(scope)) this.#base.define(scope, 'Scope');
		const name = wanted.replace(/[^A-Za-z0-9_]/g, '_');
		const path = scope.appendChild(/^[A-Za-z_]/.test(name) ? name : `_${name}`);
		return this.#base.layer.has(path) ? scope.appendChild(`${path.name}_${index}`) : path;
	}
}
