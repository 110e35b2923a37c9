import type { Prim } from '@manyworlds/usd';
import { localTransform } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { isCameraOutput } from '../ros/interface-uses.ts';
import type { Statement } from './statement.ts';

/** REP 2.8: optical frames. */
export const SECTION_2_8: readonly Statement[] = [
	{
		id: 'R2.8.1',
		section: '2.8',
		level: 'must',
		check: 'static',
		visit: checkOpticalFrames,
	},
	{
		id: 'R2.8.2',
		section: '2.8',
		level: 'must',
		check: 'static',
		visit: checkOpticalInterfaces,
	},
];

/** Metres by which an optical frame may lie beside its camera. */
const OFFSET = 1e-6;

/** A camera that ROS uses, and what is below it. */
interface RosCamera {
	readonly camera: Prim;
	/** Prims at or below the camera with a topic or frame schema. */
	readonly ros: readonly Prim[];
}

function rosCameras(context: CheckContext): RosCamera[] {
	const { ros, cameras } = context.lists;
	const users = ros.filter((prim) => prim.hasSchema('RosTopicAPI') || prim.hasSchema('RosFrameAPI'));
	return cameras
		.map((camera) => ({ camera, ros: users.filter(({ path }) => path.hasPrefix(camera.path)) }))
		.filter((found) => found.ros.length > 0);
}

function checkOpticalFrames(context: CheckContext, report: Reporter): void {
	const tolerance = context.thresholds.opticalAngle;
	for (const { camera, ros } of rosCameras(context)) {
		const children = camera.children().filter(({ typeName, isActive }) => isActive && typeName === 'Xform');
		const optical = children.find((child) => opticalAngle(child) <= tolerance);
		if (optical !== undefined) {
			const [x, y, z] = translationOf(optical);
			if (Math.hypot(x, y, z) <= OFFSET) continue;
			const message = `the optical frame ${optical.path} lies (${x}, ${y}, ${z}) m beside its camera, expected no offset`;
			report.add(opPlace(context, optical, 'xformOp:translate'), message);
			continue;
		}
		const used = children.find((child) => ros.some(({ path }) => path.hasPrefix(child.path)));
		if (used === undefined) {
			const message = `the camera ${camera.path} has no child Xform turned by 180 degrees about X, expected one for its ROS interfaces`;
			report.add(context.at(camera), message);
			continue;
		}
		const degrees = (opticalAngle(used) * 180) / Math.PI;
		const message = `the rotation of ${used.path} is ${formatDegrees(degrees)} degrees off a half turn about X, expected at most ${formatDegrees((tolerance * 180) / Math.PI)}`;
		report.add(opPlace(context, used, 'xformOp:orient'), message);
	}
}

function checkOpticalInterfaces(context: CheckContext, report: Reporter): void {
	const tolerance = context.thresholds.opticalAngle;
	for (const { camera, ros } of rosCameras(context)) {
		const children = camera.children().filter(({ typeName }) => typeName === 'Xform');
		const turned = children.filter((child) => opticalAngle(child) <= tolerance);
		// a frame that is turned the wrong way is the business of R2.8.1
		const optical = turned.length > 0 ? turned : children;
		for (const prim of ros) {
			if (optical.some(({ path }) => prim.path.hasPrefix(path))) continue;
			const api = prim.hasSchema('RosTopicAPI') ? 'RosTopicAPI' : 'RosFrameAPI';
			const where = prim.path === camera.path ? 'on the camera itself' : `on ${prim.path}`;
			report.add(context.atSchema(prim, api), `${api} is ${where}, expected it on the optical frame of ${camera.path}`);
		}
	}
	checkImagesBesideCameras(context, report);
}

/** Images of a link that has a camera come from that camera, so they belong to its optical frame. */
function checkImagesBesideCameras(context: CheckContext, report: Reporter): void {
	const { cameras } = context.lists;
	if (cameras.length === 0) return;
	for (const found of RosView.of(context).interfaces) {
		const { prim, schema, type } = found;
		if (!isCameraOutput(found) || cameras.some((camera) => prim.path.hasPrefix(camera.path))) continue;
		const link = context.bodyOf(prim);
		// without bodies, what is below one prim belongs together
		const camera = cameras.find((candidate) =>
			link === undefined
				? prim.path.parent !== null && candidate.path.hasPrefix(prim.path.parent)
				: context.bodyOf(candidate)?.path === link.path,
		);
		if (camera === undefined) continue;
		const message = `${type} of ${prim.path} is beside the camera ${camera.path}, expected it on the optical frame of the camera`;
		report.add(context.atSchema(prim, schema.api), message);
	}
}

/** Radians between the local rotation of a prim and a half turn about X; infinite for scaled or sheared transforms. */
function opticalAngle(prim: Prim): number {
	const { matrix } = localTransform(prim);
	const half = [1, 0, 0, 0, -1, 0, 0, 0, -1];
	let sum = 0;
	for (let row = 0; row < 3; row++) {
		for (let column = 0; column < 3; column++) {
			sum += (matrix[4 * row + column]! - half[3 * row + column]!) ** 2;
		}
	}
	// two rotations by an angle t apart differ by 2 sqrt(2) sin(t / 2) in the Frobenius norm
	const sine = Math.sqrt(sum) / (2 * Math.SQRT2);
	return sine > 1 ? Number.POSITIVE_INFINITY : 2 * Math.asin(sine);
}

function translationOf(prim: Prim): readonly [number, number, number] {
	const { matrix } = localTransform(prim);
	return [matrix[12]!, matrix[13]!, matrix[14]!];
}

function opPlace(context: CheckContext, prim: Prim, op: string): ReturnType<CheckContext['at']> {
	const name = [op, ...context.xformOrder(prim)].find((candidate) => prim.attribute(candidate).isAuthored);
	return name === undefined ? context.at(prim) : context.at(prim.attribute(name));
}

function formatDegrees(value: number): string {
	return String(Math.round(value * 1000) / 1000);
}
