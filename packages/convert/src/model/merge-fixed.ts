import type { ConversionLedger } from './conversion-ledger.ts';
import type {
	BodyInertia,
	ConversionBody,
	ConversionFrame,
	ConversionJoint,
	ConversionMimic,
	ConversionModel,
} from './conversion-model.ts';
import { compose, identityPose, inverse, turned } from './pose.ts';
import { rotateTensor, type Tensor } from './tensor.ts';

/** A robot whose links that fixed joints hold are parts of the links that hold them. */
export interface MergedModel {
	readonly model: ConversionModel;
	/** Enters what is no part of the model any more: links that became frames, and the joints that held them. */
	readonly enter: (ledger: ConversionLedger) => void;
}

/**
 * Merges links that fixed joints hold to other links: one body with the mass of all, with their shapes and devices at their places.
 * Each merged link stays as a frame of its name, so that nothing that looks for it is lost. Links that the world holds stay links.
 */
export function mergeFixed(model: ConversionModel): MergedModel {
	const { bodies, joints } = model;
	// where each link stands in the link that it is part of; parents come before children
	const holders = Int32Array.from(bodies.keys());
	const places = bodies.map(() => identityPose());
	const isMerged = joints.map(({ kind, parent, child, parentFrame, childFrame }) => {
		if (kind !== 'fixed' || parent < 0) return false;
		holders[child] = holders[parent]!;
		places[child] = compose(places[parent]!, compose(parentFrame, inverse(childFrame)));
		return true;
	});
	if (!isMerged.includes(true)) return { model, enter: () => {} };
	const numbers = new Int32Array(bodies.length);
	const parts = bodies.map((): number[] => []);
	let count = 0;
	for (const [body, holder] of holders.entries()) {
		parts[holder]!.push(body);
		if (holder === body) numbers[body] = count++;
	}
	const place = (body: number): number => (body < 0 ? body : numbers[holders[body]!]!);
	const moved = <T extends { readonly body: number; readonly pose: Float64Array }>(item: T): T =>
		item.body < 0 ? item : { ...item, body: place(item.body), pose: compose(places[item.body]!, item.pose) };
	const relinked = (joint: ConversionJoint): ConversionJoint => ({
		...joint,
		parent: place(joint.parent),
		child: place(joint.child),
		parentFrame: joint.parent < 0 ? joint.parentFrame : compose(places[joint.parent]!, joint.parentFrame),
		childFrame: compose(places[joint.child]!, joint.childFrame),
	});
	const jointNumbers = new Int32Array(joints.length);
	let kept = 0;
	for (const [index, merged] of isMerged.entries()) jointNumbers[index] = merged ? -1 : kept++;
	const jointOf = ({ joint }: { readonly joint?: number }): { joint?: number } =>
		joint === undefined || isMerged[joint] === true ? {} : { joint: jointNumbers[joint]! };
	const frames = bodies.flatMap(({ name, from }, body): ConversionFrame[] =>
		holders[body] === body ? [] : [{ name, body: place(body), pose: places[body]!, isInserted: true, from }],
	);
	const filters = model.filters.map(([a, b]) => [place(a), place(b)] as const);
	const isHeld = ({ follower, leader }: ConversionMimic): boolean => isMerged[follower]! || isMerged[leader]!;
	return {
		model: {
			...model,
			bodies: bodies.flatMap((body, index) =>
				holders[index] === index ? [withMassOf(body, bodies, places, parts[index]!)] : [],
			),
			joints: joints.filter((_, index) => !isMerged[index]).map(relinked),
			loops: model.loops.map(relinked),
			mimics: model.mimics
				.filter((mimic) => !isHeld(mimic))
				.map((mimic) => ({
					...mimic,
					follower: jointNumbers[mimic.follower]!,
					leader: jointNumbers[mimic.leader]!,
				})),
			frames: [...model.frames.map(moved), ...frames],
			shapes: model.shapes.map(moved),
			filters: filters.filter(([a, b]) => a !== b),
			lights: model.lights.map(moved),
			cameras: model.cameras.map(moved),
			sensors: model.sensors.map(({ joint: _, ...sensor }, index) => ({
				...moved(sensor),
				...jointOf(model.sensors[index]!),
			})),
			interfaces: model.interfaces.map((own) => ({ ...own, body: place(own.body) })),
		},
		enter: (ledger) => {
			for (const [body, { name, from }] of bodies.entries()) {
				if (holders[body] === body) continue;
				const index = bodies.length + body;
				ledger.enter('body', index, name, from);
				const message = `'${name}' is part of '${bodies[holders[body]!]!.name}'; a frame stands where it was`;
				ledger.approximate('body', index, 'fixed-merged', message);
			}
			for (const [at, { name, from }] of joints.entries()) {
				if (!isMerged[at]) continue;
				const index = joints.length + at;
				ledger.enter('joint', index, name, from);
				ledger.approximate('joint', index, 'fixed-merged', `the links that '${name}' holds together are one`);
			}
			for (const [at, mimic] of model.mimics.entries()) {
				if (!isHeld(mimic)) continue;
				const name = joints[mimic.follower]!.name;
				ledger.enter('mimic', model.mimics.length + at, name, mimic.from);
				const message = `'${name}' follows '${joints[mimic.leader]!.name}', of which one cannot move`;
				ledger.approximate('mimic', model.mimics.length + at, 'fixed-merged', message);
			}
			for (const [at, [a, b]] of filters.entries()) {
				if (a !== b) continue;
				const names = model.filters[at]!.map((body) => bodies[body]?.name ?? 'world').join(' ');
				ledger.enter('filter', filters.length + at, names);
				ledger.approximate(
					'filter',
					filters.length + at,
					'fixed-merged',
					`${names} are one link, which never collides`,
				);
			}
		},
	};
}

/** A link with the mass of its parts: Σm, Σmc / m, and Σ(R I Rᵀ + m (d² E − d dᵀ)) about the new centre. */
function withMassOf(
	body: ConversionBody,
	bodies: readonly ConversionBody[],
	places: readonly Float64Array[],
	parts: readonly number[],
): ConversionBody {
	const heavy = parts.flatMap((part) => {
		const { inertia, isMassDerived } = bodies[part]!;
		if (inertia === undefined) return [];
		const [x, y, z] = turned(places[part]!, inertia.center);
		const pose = places[part]!;
		const center = [x + pose[0]!, y + pose[1]!, z + pose[2]!] as const;
		return [{ mass: inertia.mass, center, tensor: rotateTensor(inertia.tensor, pose), isMassDerived }];
	});
	if (parts.length === 1 || heavy.length === 0) return body;
	const mass = heavy.reduce((sum, part) => sum + part.mass, 0);
	const center = [0, 1, 2].map((k) =>
		mass === 0 ? 0 : heavy.reduce((sum, part) => sum + part.mass * part.center[k]!, 0) / mass,
	) as unknown as BodyInertia['center'];
	const tensor = [0, 0, 0, 0, 0, 0];
	for (const part of heavy) {
		const [x, y, z] = [0, 1, 2].map((k) => part.center[k]! - center[k]!) as [number, number, number];
		const shift = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z];
		for (let k = 0; k < 6; k++) tensor[k]! += part.tensor[k]! + part.mass * shift[k]!;
	}
	const { isMassDerived: _, ...rest } = body;
	const isMassDerived = heavy.every((part) => part.isMassDerived === true);
	return {
		...rest,
		inertia: { mass, center, tensor: tensor as unknown as Tensor },
		...(isMassDerived && { isMassDerived }),
	};
}
