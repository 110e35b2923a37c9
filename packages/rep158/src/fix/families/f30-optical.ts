import { makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { ContextResolver, interfaceSchemas, localTransform, readInterfaces } from '@manyworlds/usd/internal';
import { isCameraOutput } from '../../ros/interface-uses.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { linearPart } from '../engine/linear.ts';
import { applySchema, definingSite, schemaSite, setAttribute } from '../engine/sites.ts';
import { freeChildName, moveSchema } from '../prims/move-interface.ts';

/** F30: cameras speak to ROS through an optical frame, turned by half about X, with every topic on a prim of its own below it. */
export const OPTICAL: Fixer = {
	family: 'F30',
	title: 'optical frames of cameras',
	rules: ['R2.8.1', 'R2.8.2'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.typeName === 'Camera',
			(prim) => fixCamera(session, prim),
		);
		refuseBeside(session);
	},
};

/** Images that are published beside a camera: whether they are its images nobody can tell. */
function refuseBeside(session: FixSession): void {
	eachPrim(
		session,
		(prim) => prim.hasSchema('RosTopicAPI'),
		(prim) => {
			const isImage = readInterfaces(prim, new ContextResolver()).some(isCameraOutput);
			if (!isImage) return;
			for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
				if (at.parent?.typeName === 'Camera' && isOptical(at)) return;
			}
			session.refuse('R2.8.2', 'the images are published beside a camera, not below it; move the prim there', { prim });
		},
	);
}

function fixCamera(session: FixSession, camera: Prim): void {
	const own = interfaceSchemas(camera).filter(({ api }) => api === 'RosTopicAPI');
	const hasFrame = camera.hasSchema('RosFrameAPI');
	const children = camera.children().filter((child) => child.typeName === 'Xform' && child.isActive);
	const speaking = children.filter((child) => child.hasSchema('RosTopicAPI') || child.hasSchema('RosFrameAPI'));
	if (own.length === 0 && !hasFrame && speaking.length === 0) return;
	const turned = children.find(isOptical);
	const path = turned?.path ?? speaking.find((child) => child.hasSchema('RosFrameAPI'))?.path;
	const optical = path === undefined ? makeFrame(session, camera) : path;
	if (turned === undefined && path !== undefined) turn(session, path);
	const again = (): Prim => session.stage.prim(camera.path)!;
	if (hasFrame) moveSchema(session, 'R2.8.2', again(), 'RosFrameAPI', 'ros:frame', optical.name);
	else if (!session.stage.prim(optical)!.hasSchema('RosFrameAPI')) {
		applySchema(session, 'R2.8.2', session.stage.prim(optical)!, 'RosFrameAPI');
	}
	for (const { api, prefix } of own) moveSchema(session, 'R2.8.2', again(), api, prefix, optical.name);
}

/** Whether a frame looks as ROS has it: turned by half about X, at the place of its camera. */
function isOptical(prim: Prim): boolean {
	const { matrix } = localTransform(prim);
	const expected = [1, 0, 0, 0, -1, 0, 0, 0, -1];
	return (
		linearPart(matrix).every((x, i) => Math.abs(x - expected[i]!) < 1e-3) &&
		Math.hypot(matrix[12]!, matrix[13]!, matrix[14]!) < 1e-6
	);
}

function makeFrame(session: FixSession, camera: Prim): Path {
	const name = freeChildName(camera, `${camera.name}_optical_frame`);
	const site = schemaSite(session, camera, 'Ros') ?? definingSite(session, camera);
	const path = camera.path.appendChild(name);
	if (site === undefined) return path;
	session.edit('R2.8.1', site.layer, (layer) => {
		layer.createPrim(site.path.appendChild(name), { specifier: 'def', typeName: 'Xform' });
	});
	turn(session, path);
	return path;
}

function turn(session: FixSession, path: Path): void {
	const set = (name: string, typeName: string, value: Value, variability: 'varying' | 'uniform' = 'varying'): void => {
		setAttribute(session, 'R2.8.1', session.stage.prim(path)!, name, value, { typeName, variability });
	};
	set('xformOp:translate', 'double3', makeValue(T.double3, Float64Array.of(0, 0, 0)) as Value);
	set('xformOp:orient', 'quatd', makeValue(T.quatd, Float64Array.of(1, 0, 0, 0)) as Value);
	const order = makeValue(T.token.array, ['xformOp:translate', 'xformOp:orient']) as Value;
	set('xformOpOrder', 'token[]', order, 'uniform');
}
