import { UNLIMITED } from '@manyworlds/model';
import { Findings } from './findings.ts';
import { type MujocoDump, numbersOf } from './mujoco-dump.ts';
import { plain, type Robot, row, wxyz } from './robot.ts';

const TOLERANCE = 1e-9;
const TYPES = ['free', 'ball', 'slide', 'hinge'];
const DOFS: Readonly<Record<string, number>> = { free: 6, ball: 3, slide: 1, hinge: 1 };
const COORDINATES: Readonly<Record<string, number>> = { free: 7, ball: 4, slide: 1, hinge: 1 };

/** Axes, anchors, ranges, passive forces, limit parameters, reference coordinates. */
export function checkJoints(dump: MujocoDump, { builder, model, result, idOf }: Robot): string | undefined {
	const findings = new Findings();
	findings.equal('number of joints', result.jointOrder.length, dump.sizes.njnt);
	if (result.jointOrder.length !== dump.sizes.njnt) return findings.summary();
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const attribute = (name: string): ArrayLike<number> => model.attributes.get(`mujoco:${name}`) as Float64Array;
	let dofAddress = 0;
	let coordinate = 0;
	for (const [id, place] of result.jointOrder.entries()) {
		const name = dump.names.joint![id]!;
		const where = `joint ${name}`;
		const { type, joint, dof } = place;
		const compare = (field: string, actual: ArrayLike<number>, width: number): void => {
			findings.numbers(`${where} ${field}`, actual, row(array(field), id, width), TOLERANCE);
		};
		if (name !== '') findings.equal(`${where} name`, place.name, plain(name));
		findings.equal(`${where} type`, type, TYPES[array('jnt_type')[id]!]);
		findings.equal(`${where} body`, idOf(model.jointChild[joint]!), array('jnt_bodyid')[id]!);
		if (type !== 'free') compare('jnt_pos', model.jointXC.subarray(7 * joint, 7 * joint + 3), 3);
		const isScalar = type === 'hinge' || type === 'slide';
		if (isScalar) {
			compare('jnt_axis', model.jointAxis.subarray(3 * dof, 3 * dof + 3), 3);
			const limits = [model.jointLimitLower[dof]!, model.jointLimitUpper[dof]!];
			const isLimited = limits[0]! > -UNLIMITED || limits[1]! < UNLIMITED;
			findings.equal(`${where} jnt_limited`, isLimited, array('jnt_limited')[id] === 1);
			if (isLimited) compare('jnt_range', limits, 2);
			const range = row(array('jnt_actfrcrange'), id, 2);
			if (array('jnt_actfrclimited')[id] === 1) {
				const most = Math.max(...range.map(Math.abs));
				findings.numbers(`${where} effort limit`, [model.jointEffortLimit[dof]!], [most], TOLERANCE);
			} else findings.equal(`${where} effort limit`, model.jointEffortLimit[dof], 1e6);
			compare('jnt_stiffness', [attribute('dof_passive_stiffness')[dof]!], 1);
			compare('jnt_margin', [attribute('limit_margin')[dof]!], 1);
			const solref = attribute('solreflimit_mode')[dof] === 1 ? slice(attribute('solreflimit'), dof, 2) : [0.02, 1];
			compare('jnt_solref', solref, 2);
			compare('jnt_solimp', slice(attribute('solimplimit'), dof, 5), 5);
			compare('jnt_actgravcomp', [attribute('jnt_actgravcomp')[dof]!], 1);
			const reference = [attribute('dof_ref')[dof]!];
			findings.numbers(`${where} qpos0`, reference, [array('qpos0')[coordinate]!], TOLERANCE);
			const rest = [attribute('dof_springref')[dof]!];
			findings.numbers(`${where} qpos_spring`, rest, [array('qpos_spring')[coordinate]!], TOLERANCE);
		}
		if (type === 'free') {
			const pose = builder.column('bodyQ').subarray(7 * model.jointChild[joint]!);
			for (const field of ['qpos0', 'qpos_spring']) {
				const theirs = array(field).slice(coordinate, coordinate + 7);
				findings.numbers(`${where} ${field}`, pose.subarray(0, 3), theirs.slice(0, 3), TOLERANCE);
				findings.rotation(`${where} ${field}`, wxyz(pose, 3), theirs.slice(3), TOLERANCE);
			}
		}
		for (let i = 0; i < DOFS[type]!; i++) {
			const compareDof = (field: string, actual: ArrayLike<number>, width: number): void => {
				findings.numbers(`${where} ${field}`, actual, row(array(field), dofAddress + i, width), TOLERANCE);
			};
			compareDof('dof_armature', [model.jointArmature[dof + i]!], 1);
			compareDof('dof_damping', [model.jointDamping[dof + i]!], 1);
			compareDof('dof_frictionloss', [model.jointFriction[dof + i]!], 1);
			if (type === 'free') continue;
			compareDof('dof_solref', slice(attribute('solreffriction'), dof + i, 2), 2);
			compareDof('dof_solimp', slice(attribute('solimpfriction'), dof + i, 5), 5);
		}
		dofAddress += DOFS[type]!;
		coordinate += COORDINATES[type]!;
	}
	return findings.summary();
}

function slice(values: ArrayLike<number>, index: number, width: number): number[] {
	return Array.from({ length: width }, (_, i) => values[index * width + i]!);
}
