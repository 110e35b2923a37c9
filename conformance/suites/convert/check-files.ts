import type { ConversionBody, ConversionModel, ConversionShape, TargetFile } from '@manyworlds/convert';
import { eigenSymmetric3 } from '@manyworlds/core/internal';
import { checkAsset } from '@manyworlds/rep158';
import { isAssetFailure, MemoryStore } from '@manyworlds/usd';

/** What the checker finds in the files of an asset that the robot in the source has nothing to do with; undefined for nothing. */
export function checkFiles(files: readonly TargetFile[], model: ConversionModel): string | undefined {
	const store = new MemoryStore(
		new Map(
			files.map(({ path, content }) => [
				path,
				typeof content === 'string' ? new TextEncoder().encode(content) : content,
			]),
		),
	);
	const layer = store.layer(store.identify(files[0]!.path, '').identifier);
	if (layer === undefined || isAssetFailure(layer)) return 'the entry layer cannot be read';
	const allowed = ownFindings(model);
	const found = checkAsset(layer, store)
		.report.toArray()
		.filter(({ code, message }) => !allowed.some((own) => own.code === code && own.says.test(message)));
	return found.length === 0
		? undefined
		: `${found.length}: ${found
				.slice(0, 4)
				.map(({ code, message, prim }) => `${code} ${prim ?? ''} ${message}`)
				.join('; ')}`.slice(0, 600);
}

/** Findings that tell what the robot itself is like. */
function ownFindings(model: ConversionModel): { readonly code: string; readonly says: RegExp }[] {
	const { bodies, joints, shapes } = model;
	// colliders with no bits touch only in pairs of MJCF, which USD cannot say
	const isThere = ({ masks }: ConversionShape): boolean => masks === undefined || masks.some((bits) => bits !== 0);
	const has = (role: string): Set<number> =>
		new Set(shapes.filter((shape) => shape.role === role && isThere(shape)).map(({ body }) => body));
	const [seen, touched] = [has('visual'), has('collision')];
	const freedoms = joints.flatMap(({ freedoms: own }) => own);
	const isOpen = freedoms.some(
		({ motion, lower, upper }) =>
			(motion === 'slide' && !Number.isFinite(upper - lower)) || Number.isFinite(lower) !== Number.isFinite(upper),
	);
	return [
		...(bodies.some((_, body) => seen.has(body) && !touched.has(body))
			? [{ code: 'R1.2.4.2', says: /has a visual and no collider/ }]
			: []),
		...(joints.some(({ kind }) => kind === 'compound') ? [{ code: 'R1.3.7', says: /the joint connects/ }] : []),
		...(bodies.some(isUnphysical) ? [{ code: 'R1.3.16', says: /physics:diagonalInertia/ }] : []),
		// a weld may pull two bodies together that stand apart
		...(model.loops.some(({ kind }) => kind === 'fixed') ? [{ code: 'R1.3.12', says: /the joint anchors at/ }] : []),
		...(isOpen ? [{ code: 'R1.3.3', says: /limits go from|Limit/ }] : []),
	];
}

/** Whether an inertia is one that no solid has. */
function isUnphysical({ inertia }: ConversionBody): boolean {
	if (inertia === undefined) return false;
	const [xx, yy, zz, xy, xz, yz] = inertia.tensor;
	const moments = new Float64Array(3);
	eigenSymmetric3(moments, new Float64Array(9), Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
	return moments[0]! <= 0 || moments[0]! + moments[1]! < moments[2]! * (1 - 1e-6);
}
