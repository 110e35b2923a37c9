import { BodyFlags, GeoType } from '@manyworlds/model';
import { Findings } from './findings.ts';
import { type MujocoDump, numbersOf } from './mujoco-dump.ts';
import { inverse, matrixOf, multiply, plain, type Robot, rotate, row, wxyz } from './robot.ts';

const TOLERANCE = 1e-9;
/** The compiler turns meshes to principal axes that it finds up to 1e-12 off the diagonal, at a density of 1. */
const MESHES = 2e-7;

/** Names, tree, poses, masses, centres and inertia tensors. */
export function checkBodies(dump: MujocoDump, robot: Robot): string | undefined {
	const { model, result, bodies, idOf } = robot;
	const findings = new Findings();
	const count = dump.sizes.nbody! - 1;
	findings.equal('number of bodies', bodies.length - 1, count);
	if (bodies.length - 1 !== count) return findings.summary();
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const [pos, quat, mass, ipos, iquat, inertia] = [
		array('body_pos'),
		array('body_quat'),
		array('body_mass'),
		array('body_ipos'),
		array('body_iquat'),
		array('body_inertia'),
	];
	const parents = array('body_parentid');
	const gravcomp = model.attributes.get('mujoco:gravcomp') as Float64Array;
	const mocap = array('body_mocapid');
	const jointCounts = new Array<number>(count).fill(0);
	const dofCounts = new Array<number>(count).fill(0);
	for (const { joint, type } of result.jointOrder) {
		const body = idOf(model.jointChild[joint]!) - 1;
		jointCounts[body] = jointCounts[body]! + 1;
		dofCounts[body] = dofCounts[body]! + (type === 'free' ? 6 : type === 'ball' ? 3 : 1);
	}
	// joints outside of articulations close loops
	const ourParent = new Map(
		Array.from(model.jointChild, (child, joint) => [child, joint] as const)
			.filter(([, joint]) => model.jointArticulation[joint]! >= 0)
			// joints between parts of one body lead to that body itself
			.filter(([child, joint]) => idOf(child) !== idOf(model.jointParent[joint]!))
			.map(([child, joint]) => [idOf(child), idOf(model.jointParent[joint]!)]),
	);
	for (let id = 1; id <= count; id++) {
		const body = bodies[id]!;
		const name = dump.names.body![id]!;
		const where = `body ${name}`;
		if (name !== '') findings.equal(`${where} name`, model.bodyLabels[body]!.endsWith(`/${plain(name)}`), true);
		findings.equal(`${where} parent`, ourParent.get(id), parents[id]!);
		const { p, q } = relativePose(robot, body, bodies[parents[id]!]!);
		findings.numbers(`${where} body_pos`, p, row(pos, id, 3), TOLERANCE);
		findings.rotation(`${where} body_quat`, q, row(quat, id, 4), TOLERANCE);
		findings.numbers(`${where} body_mass`, [model.bodyMass[body]!], [mass[id]!], TOLERANCE);
		const mine = Array.from(model.bodyInertia.subarray(9 * body, 9 * body + 9));
		const theirs = tensor(row(inertia, id, 3), row(iquat, id, 4));
		const largest = Math.max(...theirs.map(Math.abs), 1e-9);
		const isExact = !hasMeshMass(robot, body);
		findings.within(`${where} inertia`, mine, theirs, (isExact ? TOLERANCE : MESHES) * largest);
		const com = Array.from(model.bodyCom.subarray(3 * body, 3 * body + 3));
		if (mass[id]! > 0) findings.numbers(`${where} body_ipos`, com, row(ipos, id, 3), TOLERANCE);
		findings.numbers(`${where} body_gravcomp`, [gravcomp[body]!], [array('body_gravcomp')[id]!], TOLERANCE);
		findings.equal(`${where} mocap`, model.bodyFlags[body] === BodyFlags.KINEMATIC, mocap[id]! >= 0);
		findings.equal(`${where} joints`, jointCounts[id - 1], array('body_jntnum')[id]);
		findings.equal(`${where} degrees of freedom`, dofCounts[id - 1], array('body_dofnum')[id]);
	}
	const total = model.bodyMass.reduce((sum, value) => sum + value, 0);
	findings.numbers('total mass', [total], [array('body_subtreemass')[0]!], TOLERANCE);
	return findings.summary();
}

/** Whether the mass of a body is that of meshes, or of primitives that were fitted to them. */
function hasMeshMass({ builder, model, hasFittedGeoms }: Robot, body: number): boolean {
	if (builder.column('bodyLockInertia')[body] === 1) return false;
	const isMesh = (type: number | undefined): boolean => type === GeoType.MESH || type === GeoType.CONVEX_MESH;
	return hasFittedGeoms || Array.from(model.shapesOf(body)).some((shape) => isMesh(model.shapeType[shape]));
}

/** The pose of a body in its parent at the reference configuration. */
function relativePose({ builder }: Robot, body: number, parent: number): { p: number[]; q: number[] } {
	const poses = builder.column('bodyQ');
	const at = (index: number): { p: number[]; q: number[] } => ({
		p: Array.from(poses.subarray(7 * index, 7 * index + 3)),
		q: wxyz(poses, 7 * index + 3),
	});
	const own = at(body);
	if (parent < 0) return own;
	const base = at(parent);
	const back = inverse(base.q);
	const offset = own.p.map((value, i) => value - base.p[i]!);
	return { p: rotate(back, offset), q: multiply(back, own.q) };
}

/** Principal moments in a frame w x y z as a tensor, row by row. */
function tensor(moments: readonly number[], q: readonly number[]): number[] {
	const r = matrixOf(q);
	const out: number[] = [];
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let k = 0; k < 3; k++) sum += moments[k]! * r[3 * i + k]! * r[3 * j + k]!;
			out.push(sum);
		}
	}
	return out;
}
