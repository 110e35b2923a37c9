import type { Report } from '@manyworlds/core';
import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { MergedModel } from './read-model.ts';
import type { SdfFrame, SdfModel, SdfPose } from './sdf-document.ts';
import { SdfFrames } from './sdf-frames.ts';

/**
 * The content of a model for the one around it (`merge="true"`, SDF 1.9): a frame stands for what was its model frame, and what
 * was given in that is given in the frame.
 */
export function mergeModel(model: SdfModel, report: Report): MergedModel {
	const proxy = `_merged__${model.name}__model__`;
	const renamed = (name: string): string => (name === '__model__' ? proxy : name);
	const named = (pose: SdfPose): SdfPose => ({ ...pose, relativeTo: renamed(pose.relativeTo) });
	const placed = (pose: SdfPose): SdfPose => ({ ...pose, relativeTo: renamed(pose.relativeTo || '__model__') });
	const frame: SdfFrame = {
		element: model.element,
		name: proxy,
		attachedTo: model.canonicalLink ?? model.links[0]?.name ?? '',
		pose: { ...model.pose, values: placeOf(model, report), relativeTo: model.pose.relativeTo || '__model__' },
	};
	return {
		isMerged: true,
		links: model.links.map((link) => ({ ...link, pose: placed(link.pose) })),
		joints: model.joints.map((joint) => ({
			...joint,
			pose: named(joint.pose),
			parent: renamed(joint.parent),
			child: renamed(joint.child),
			axes: joint.axes.map((axis) => ({ ...axis, expressedIn: renamed(axis.expressedIn) })),
		})),
		frames: [
			frame,
			...model.frames.map((own) => ({
				...own,
				attachedTo: renamed(own.attachedTo || '__model__'),
				pose: named(own.pose),
			})),
		],
		models: model.models.map((nested) => ({ ...nested, pose: placed(nested.pose) })),
		others: model.others,
	};
}

/** Where the model frame stands when the placement frame stands at the pose. */
function placeOf(model: SdfModel, report: Report): Float64Array {
	const { placementFrame, pose } = model;
	if (placementFrame === undefined) return pose.values;
	const inside = new SdfFrames(model, report).pose(placementFrame, model.element);
	return transformMultiply(new Float64Array(7), pose.values, transformInvert(new Float64Array(7), inside));
}
