import { GeoType, type Model, ShapeFlags } from '@manyworlds/model';
import { Findings } from './findings.ts';
import { type MujocoDump, numbersOf } from './mujoco-dump.ts';
import { inverse, multiply, plain, type Robot, rotate, row, wxyz } from './robot.ts';

const TOLERANCE = 1e-9;
const GEO_TYPES: readonly GeoType[] = [
	GeoType.PLANE,
	GeoType.HFIELD,
	GeoType.SPHERE,
	GeoType.CAPSULE,
	GeoType.ELLIPSOID,
	GeoType.CYLINDER,
	GeoType.BOX,
	GeoType.MESH,
];
/** Sizes that matter by type. */
const SIZES: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 3, 5: 2, 6: 3 };
const SPHERE = 2;
const MESH = 7;

/** Geoms: bodies, types, poses, sizes, masks, contact parameters, looks. */
export function checkGeoms(dump: MujocoDump, { model, result, bodies, hasFittedGeoms }: Robot): string | undefined {
	const findings = new Findings();
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	findings.equal('number of geoms', result.geomOrder.length, dump.sizes.ngeom);
	if (result.geomOrder.length !== dump.sizes.ngeom) return findings.summary();
	const attribute = (name: string): ArrayLike<number> => model.attributes.get(`mujoco:${name}`) as Float64Array;
	const counts = new Array<number>(dump.sizes.nbody!).fill(0);
	for (const [id, shapes] of result.geomOrder.entries()) {
		const shape = shapes[0]!;
		const name = dump.names.geom![id]!;
		const where = `geom ${id} ${name}`;
		const body = array('geom_bodyid')[id]!;
		counts[body] = counts[body]! + 1;
		if (name !== '') findings.equal(`${where} name`, plain(model.shapeLabels[shape]!).endsWith(plain(name)), true);
		findings.equal(`${where} body`, model.shapeBody[shape], bodies[body]);
		const type = array('geom_type')[id]!;
		// what collides does so as its hull
		const isHull = type === MESH && (model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0;
		findings.equal(`${where} type`, model.shapeType[shape], isHull ? GeoType.CONVEX_MESH : GEO_TYPES[type]);
		const width = SIZES[type] ?? 0;
		const size = Array.from(model.shapeScale.subarray(3 * shape, 3 * shape + width));
		const bound = hasFittedGeoms ? 1e-6 : TOLERANCE;
		findings.numbers(`${where} geom_size`, size, row(array('geom_size'), id, 3).slice(0, width), bound);
		const pose =
			type === MESH ? meshPose(dump, id) : { p: row(array('geom_pos'), id, 3), q: row(array('geom_quat'), id, 4) };
		const nearest = hasFittedGeoms ? nearestTurn(model, shape, type, pose) : pose;
		comparePose(findings, where, model, shape, nearest, type === MESH || hasFittedGeoms ? 1e-6 : TOLERANCE);
		const compare = (field: string, actual: ArrayLike<number>, count: number): void => {
			findings.numbers(`${where} ${field}`, actual, row(array(field), id, count), TOLERANCE);
		};
		compare('geom_contype', [attribute('contype')[shape]!], 1);
		compare('geom_conaffinity', [attribute('conaffinity')[shape]!], 1);
		compare('geom_condim', [attribute('condim')[shape]!], 1);
		compare('geom_group', [attribute('geom_group')[shape]!], 1);
		compare('geom_priority', [attribute('geom_priority')[shape]!], 1);
		compare('geom_solmix', [attribute('geom_solmix')[shape]!], 1);
		compare('geom_solimp', slice(attribute('geom_solimp'), shape, 5), 5);
		const solref = attribute('solref_mode')[shape] === 1 ? slice(attribute('solref'), shape, 2) : [0.02, 1];
		compare('geom_solref', solref, 2);
		const friction = [model.shapeMaterialMu, model.shapeMaterialMuTorsional, model.shapeMaterialMuRolling];
		compare(
			'geom_friction',
			friction.map((values) => values[shape]!),
			3,
		);
		compare('geom_margin', [model.shapeMargin[shape]!], 1);
	}
	for (const [body, count] of counts.entries()) {
		findings.equal(`geoms of body ${body}`, count, array('body_geomnum')[body]);
	}
	return findings.summary();
}

/** Sites: bodies, poses, sizes. */
export function checkSites(dump: MujocoDump, { model, result, bodies }: Robot): string | undefined {
	const findings = new Findings();
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	findings.equal('number of sites', result.siteOrder.length, dump.sizes.nsite);
	if (result.siteOrder.length !== dump.sizes.nsite) return findings.summary();
	for (const [id, shapes] of result.siteOrder.entries()) {
		const shape = shapes[0]!;
		const where = `site ${id} ${dump.names.site![id]!}`;
		findings.equal(`${where} body`, model.shapeBody[shape], bodies[array('site_bodyid')[id]!]);
		findings.equal(`${where} type`, model.shapeType[shape], GEO_TYPES[array('site_type')[id]!]);
		const pose = { p: row(array('site_pos'), id, 3), q: row(array('site_quat'), id, 4) };
		comparePose(findings, where, model, shape, pose, TOLERANCE);
		const size = Array.from(model.shapeScale.subarray(3 * shape, 3 * shape + 3));
		findings.numbers(`${where} site_size`, size, row(array('site_size'), id, 3), TOLERANCE);
	}
	return findings.summary();
}

interface Pose {
	readonly p: number[];
	readonly q: number[];
}

/** The pose of a mesh as it is written: the compiler moves meshes to their principal axes. */
function meshPose(dump: MujocoDump, geom: number): Pose {
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const mesh = array('geom_dataid')[geom]!;
	const q = multiply(row(array('geom_quat'), geom, 4), inverse(row(array('mesh_quat'), mesh, 4)));
	const offset = rotate(q, row(array('mesh_pos'), mesh, 3));
	return { p: row(array('geom_pos'), geom, 3).map((value, i) => value - offset[i]!), q };
}

/** Half turns about the axes, w x y z, and none. */
const HALF_TURNS = [
	[1, 0, 0, 0],
	[0, 1, 0, 0],
	[0, 0, 1, 0],
	[0, 0, 0, 1],
] as const;

/** Signs of principal axes are arbitrary: the half turn of a symmetric shape that comes nearest to ours. */
function nearestTurn(model: Model, shape: number, type: number, { p, q }: Pose): Pose {
	const ours = wxyz(model.shapeTransform, 7 * shape + 3);
	// a ball has no axes
	if (type === SPHERE) return { p, q: ours };
	if (type !== MESH && type > SPHERE) {
		const turns = HALF_TURNS.map((turn) => multiply(q, turn));
		const near = (r: readonly number[]): number => Math.abs(r.reduce((sum, value, i) => sum + value * ours[i]!, 0));
		return { p, q: turns.reduce((best, turn) => (near(turn) > near(best) + 1e-9 ? turn : best)) };
	}
	return { p, q };
}

function comparePose(
	findings: Findings,
	where: string,
	model: Model,
	shape: number,
	{ p, q }: Pose,
	bound: number,
): void {
	const at = 7 * shape;
	findings.numbers(`${where} position`, Array.from(model.shapeTransform.subarray(at, at + 3)), p, bound);
	findings.rotation(`${where} rotation`, wxyz(model.shapeTransform, at + 3), q, bound);
}

function slice(values: ArrayLike<number>, index: number, width: number): number[] {
	return Array.from({ length: width }, (_, i) => values[index * width + i]!);
}
