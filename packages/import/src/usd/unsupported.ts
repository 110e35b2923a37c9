import type { Report } from '@manyworlds/core';
import type { Prim } from '@manyworlds/usd';
import { isUsualPrim, pointInstanceIds, type SourcePlaces, traverse } from '@manyworlds/usd/internal';
import type { ImportCode } from '../diagnostics.ts';
import { tellAbout } from './context.ts';
import { hasApi } from './joint-values.ts';

/** Geometry that deforms, by the API that says so. */
const DEFORMABLES: readonly (readonly [api: string, what: string])[] = [
	['PhysicsCurvesDeformableSimAPI', 'cables'],
	['PhysicsSurfaceDeformableSimAPI', 'cloth'],
	['PhysicsVolumeDeformableSimAPI', 'soft bodies'],
	['NewtonPointsDeformableSimAPI', 'particles'],
];

/** Prims of types that nothing here imports. */
const TYPES: ReadonlyMap<string, string> = new Map([
	['TetMesh', 'soft bodies'],
	['ParticleField3DGaussianSplat', 'Gaussian splats'],
	['PhysicsAttachment', 'attachments of deformable bodies'],
	['PhysicsElementCollisionFilter', 'collision filters of deformable bodies'],
]);

/** Paths of geometry that deforms; as rigid shapes it would stay behind. */
export function deformablePaths(root: Prim): string[] {
	const found: string[] = [];
	for (const prim of primsFrom(root)) {
		if (prim.authoredSchemas === undefined) continue;
		if (DEFORMABLES.some(([api]) => hasApi(prim, api)) && !isRigid(prim)) found.push(prim.path.toString());
	}
	return found;
}

/** Reports what the import leaves out, by feature and prim. */
export function reportUnsupported(
	root: Prim,
	aliases: ReadonlyMap<string, string>,
	report: Report,
	places: SourcePlaces | undefined,
): void {
	const tell = (code: ImportCode, prim: Prim, message: string): void => tellAbout(report, places, code, prim, message);
	for (const prim of primsFrom(root)) {
		const { typeName } = prim;
		const alias = aliases.get(typeName);
		if (alias !== undefined)
			tell('IMP093', prim, `the prim is of type '${typeName}', which no schema defines; it is read as ${alias}`);
		const what =
			TYPES.get(typeName) ?? DEFORMABLES.find(([api]) => prim.authoredSchemas !== undefined && hasApi(prim, api))?.[1];
		if (what !== undefined) {
			const outcome = isRigid(prim)
				? 'the prim belongs to a rigid body and is imported as a part of that'
				: `${what} are not imported`;
			tell('IMP081', prim, outcome);
		}
		if (typeName === 'PointInstancer') tellAboutInstancer(prim, report, tell);
	}
}

/** A prim and all below it, through instances. */
function* primsFrom(root: Prim): Iterable<Prim> {
	if (!root.isPseudoRoot) yield root;
	yield* traverse(root, { instanceProxies: true, predicate: isUsualPrim });
}

function tellAboutInstancer(
	prim: Prim,
	report: Report,
	tell: (code: ImportCode, prim: Prim, message: string) => void,
): void {
	const count = pointInstanceIds(prim, { report }).length;
	const prototypes = prim.relationship('prototypes').targets().length;
	tell(
		'IMP080',
		prim,
		`the ${count} instances of ${prototypes} prototypes that the PointInstancer places are not imported: use instanceable references instead`,
	);
}

/** Whether a prim belongs to a rigid body, which wins. */
function isRigid(prim: Prim): boolean {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent)
		if (at.hasSchema('PhysicsRigidBodyAPI')) return true;
	return false;
}
