import { Findings } from './findings.ts';
import { type MujocoDump, numbersOf } from './mujoco-dump.ts';
import { plain, type Robot, row } from './robot.ts';

const TOLERANCE = 1e-9;
/** mjtTrn by our numbers: joint, joint in parent, tendon, site, body, slider-crank. */
const TRANSMISSIONS = [0, 1, 3, 4, 5, 2];
const [NONE, AUTO] = [0, 2];
/** mjDSBL_GRAVITY. */
const DISABLED_GRAVITY = 1 << 7;
/** mjtObj. */
const [UNKNOWN, BODY, SITE] = [0, 1, 6];

/** Actuators, tendons, equalities, explicit pairs and excluded bodies, keyframes and options. */
export function checkControls(dump: MujocoDump, robot: Robot): string | undefined {
	const findings = new Findings();
	actuators(dump, robot, findings);
	tendons(dump, robot, findings);
	equalities(dump, robot, findings);
	pairs(dump, robot, findings);
	keyframes(dump, robot, findings);
	options(dump, robot, findings);
	return findings.summary();
}

function actuators(dump: MujocoDump, robot: Robot, findings: Findings): void {
	const { model } = robot;
	const count = model.frequencyCount('mujoco:actuator');
	findings.equal('number of actuators', count, dump.sizes.nactuator ?? dump.sizes.nu);
	if (count !== (dump.sizes.nactuator ?? dump.sizes.nu)) return;
	const array = (name: string): number[] => numbersOf(dump.arrays[`actuator_${name}`]);
	const attribute = (name: string): ArrayLike<number> =>
		model.attributes.get(`mujoco:actuator_${name}`) as Float64Array;
	const labels = model.attributes.get('mujoco:actuator_label') as string[];
	for (let id = 0; id < count; id++) {
		const where = `actuator ${dump.names.actuator![id]}`;
		findings.equal(`${where} name`, labels[id], dump.names.actuator![id]);
		const compare = (field: string, actual: ArrayLike<number>, width: number): void => {
			findings.numbers(`${where} ${field}`, actual, row(array(field), id, width), TOLERANCE);
		};
		const type = attribute('trntype')[id]!;
		findings.equal(`${where} trntype`, TRANSMISSIONS[type], array('trntype')[id]);
		findings.equal(`${where} target`, targetOf(type, attribute('trnid')[2 * id]!, robot), array('trnid')[2 * id]);
		const second = attribute('trnid')[2 * id + 1]!;
		const isSite = type === 3 || type === 5;
		findings.equal(
			`${where} second target`,
			isSite && second >= 0 ? targetOf(type, second, robot) : -1,
			array('trnid')[2 * id + 1],
		);
		compare('gear', slice(attribute('gear'), id, 6), 6);
		for (const field of ['dyntype', 'gaintype', 'biastype', 'actearly', 'cranklength']) {
			compare(field, [attribute(field)[id]!], 1);
		}
		compare('dynprm', slice(attribute('dynprm'), id, 10), 10);
		compare('gainprm', slice(attribute('gainprm'), id, 10), 10);
		const bias = slice(attribute('biasprm'), id, 10);
		// a positive third number is a damping ratio that the compiler resolves
		if (!(bias[2]! > 0 && bias[1]! < 0)) compare('biasprm', bias, 10);
		for (const kind of ['ctrl', 'force', 'act']) {
			const isLimited = attribute(`${kind}limited`)[id]!;
			const range = slice(attribute(`${kind}range`), id, 2);
			const resolved = isLimited === AUTO ? (attribute(`has_${kind}range`)[id] === 1 ? 1 : NONE) : isLimited;
			compare(`${kind}limited`, [resolved!], 1);
			if (resolved === 1) compare(`${kind}range`, range, 2);
		}
	}
}

/** Index of the target in MuJoCo's own numbering. */
function targetOf(type: number, target: number, { model, result, idOf }: Robot): number {
	if (type <= 1) return result.jointOrder.findIndex(({ dof }) => dof === target);
	if (type === 3 || type === 5) return result.siteOrder.findIndex((shapes) => shapes.includes(target));
	return type === 4 ? idOf(target) : Math.min(target, model.frequencyCount('mujoco:tendon'));
}

function tendons(dump: MujocoDump, { model, result }: Robot, findings: Findings): void {
	const count = model.frequencyCount('mujoco:tendon');
	findings.equal('number of tendons', count, dump.sizes.ntendon);
	if (count !== dump.sizes.ntendon) return;
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const attribute = (name: string): ArrayLike<number> => model.attributes.get(`mujoco:tendon_${name}`) as Float64Array;
	const fields: readonly (readonly [ours: string, theirs: string, width: number])[] = [
		['stiffness', 'tendon_stiffness', 1],
		['damping', 'tendon_damping', 1],
		['frictionloss', 'tendon_frictionloss', 1],
		['armature', 'tendon_armature', 1],
		['margin', 'tendon_margin', 1],
		['solref_limit', 'tendon_solref_lim', 2],
		['solimp_limit', 'tendon_solimp_lim', 5],
		['solref_friction', 'tendon_solref_fri', 2],
		['solimp_friction', 'tendon_solimp_fri', 5],
		['actuator_force_range', 'tendon_actfrcrange', 2],
	];
	for (let id = 0; id < count; id++) {
		const where = `tendon ${dump.names.tendon![id]}`;
		for (const [ours, theirs, width] of fields) {
			const expected = row(array(theirs), id, width);
			findings.numbers(`${where} ${theirs}`, slice(attribute(ours), id, width), expected, TOLERANCE);
		}
		const range = slice(attribute('range'), id, 2);
		const limited =
			attribute('limited')[id] === AUTO ? range.some((value) => value !== 0) : attribute('limited')[id] === 1;
		findings.equal(`${where} limited`, limited, array('tendon_limited')[id] === 1);
		if (limited) findings.numbers(`${where} range`, range, row(array('tendon_range'), id, 2), TOLERANCE);
		const isFixed = attribute('type')[id] === 0;
		const points = isFixed ? attribute('joint_num')[id] : attribute('wrap_num')[id];
		findings.equal(`${where} points`, points, array('tendon_num')[id]);
		if (!isFixed) continue;
		const start = array('tendon_adr')[id]!;
		for (let i = 0; i < points!; i++) {
			const own = attribute('joint_adr')[id]! + i;
			// joints of one body are one joint here
			const joint = result.jointOrder[array('wrap_objid')[start + i]!]?.joint;
			findings.equal(`${where} wrap_type ${i}`, 1, array('wrap_type')[start + i]);
			findings.equal(`${where} joint ${i}`, attribute('joint')[own], joint);
			findings.numbers(
				`${where} coefficient ${i}`,
				[attribute('coef')[own]!],
				[array('wrap_prm')[start + i]!],
				TOLERANCE,
			);
		}
	}
}

function equalities(dump: MujocoDump, { model, result, idOf }: Robot, findings: Findings): void {
	const ties = model.frequencies.includes('mujoco:tendon_equality')
		? model.frequencyCount('mujoco:tendon_equality')
		: 0;
	findings.equal('number of equalities', model.equalityConstraintCount + ties, dump.sizes.neq);
	// those of tendons are rows of their own, so the numbers of the others are not MuJoCo's
	if (model.equalityConstraintCount !== dump.sizes.neq) return;
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const attribute = (name: string): ArrayLike<number> => model.attributes.get(`mujoco:${name}`) as Float64Array;
	for (let id = 0; id < model.equalityConstraintCount; id++) {
		const where = `equality ${id} ${dump.names.equality![id]}`;
		const type = model.equalityConstraintType[id]!;
		findings.equal(`${where} type`, type, array('eq_type')[id]);
		findings.equal(`${where} active`, model.equalityConstraintEnabled[id], array('eq_active0')[id]);
		findings.numbers(
			`${where} solref`,
			slice(attribute('eq_solref'), id, 2),
			row(array('eq_solref'), id, 2),
			TOLERANCE,
		);
		findings.numbers(
			`${where} solimp`,
			slice(attribute('eq_solimp'), id, 5),
			row(array('eq_solimp'), id, 5),
			TOLERANCE,
		);
		const theirs = array('eq_objtype')[id]!;
		// sites stand for the bodies that hold them, joints have no number there
		const objects = type === 2 ? [UNKNOWN] : [BODY, SITE];
		if (!objects.includes(theirs)) findings.fail(`${where} eq_objtype is ${theirs}, expected ${objects.join(' or ')}`);
		const data = row(array('eq_data'), id, 11);
		const [first, second] = [array('eq_obj1id')[id], array('eq_obj2id')[id]];
		if (type === 2) {
			findings.equal(`${where} joint 1`, model.equalityConstraintJoint1[id], result.jointOrder[first!]?.joint ?? -1);
			findings.equal(`${where} joint 2`, model.equalityConstraintJoint2[id], result.jointOrder[second!]?.joint ?? -1);
			const polycoef = Array.from(model.equalityConstraintPolycoef.subarray(5 * id, 5 * id + 5));
			findings.numbers(`${where} polycoef`, polycoef, data.slice(0, 5), TOLERANCE);
			continue;
		}
		if (theirs === SITE) {
			for (const [end, expected] of [
				[1, first],
				[2, second],
			] as const) {
				const shape = attribute(`equality_constraint_site${end}`)[id]!;
				const site = result.siteOrder.findIndex((shapes) => shapes.includes(shape));
				findings.equal(`${where} site ${end}`, site, expected);
			}
			continue;
		}
		findings.equal(`${where} body 1`, idOf(model.equalityConstraintBody1[id]!), first);
		findings.equal(`${where} body 2`, idOf(model.equalityConstraintBody2[id]!), second);
		const anchor = Array.from(model.equalityConstraintAnchor.subarray(3 * id, 3 * id + 3));
		findings.numbers(`${where} anchor`, anchor, data.slice(0, 3), TOLERANCE);
		if (type === 1) {
			findings.numbers(`${where} torquescale`, [model.equalityConstraintTorquescale[id]!], [data[10]!], TOLERANCE);
		}
	}
}

function pairs(dump: MujocoDump, { model, result, bodies: known }: Robot, findings: Findings): void {
	findings.equal('number of pairs', model.frequencyCount('mujoco:pair'), dump.sizes.npair);
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const attribute = (name: string): ArrayLike<number> => model.attributes.get(`mujoco:pair_${name}`) as Float64Array;
	for (let id = 0; id < Math.min(dump.sizes.npair!, model.frequencyCount('mujoco:pair')); id++) {
		const geoms = ['geom1', 'geom2'].map((name) =>
			result.geomOrder.findIndex((shapes) => shapes.includes(attribute(name)[id]!)),
		);
		const theirs = [array('pair_geom1')[id]!, array('pair_geom2')[id]!];
		findings.equal(`pair ${id}`, [...geoms].sort().join(), [...theirs].sort().join());
		findings.numbers(
			`pair ${id} friction`,
			slice(attribute('friction'), id, 5),
			row(array('pair_friction'), id, 5),
			TOLERANCE,
		);
		findings.numbers(
			`pair ${id} solref`,
			slice(attribute('solref'), id, 2),
			row(array('pair_solref'), id, 2),
			TOLERANCE,
		);
		findings.numbers(
			`pair ${id} solimp`,
			slice(attribute('solimp'), id, 5),
			row(array('pair_solimp'), id, 5),
			TOLERANCE,
		);
		findings.numbers(`pair ${id} condim`, [attribute('condim')[id]!], [array('pair_dim')[id]!], TOLERANCE);
		findings.numbers(`pair ${id} margin`, [attribute('margin')[id]!], [array('pair_margin')[id]!], TOLERANCE);
	}
	const filtered = new Set<string>();
	const { shapeCollisionFilterPairs: list } = model;
	for (let i = 0; i < list.length; i += 2) filtered.add(`${list[i]} ${list[i + 1]}`);
	for (const signature of array('exclude_signature')) {
		const bodies = [signature >> 16, signature & 0xffff].map((id) => known[id] ?? Number.NaN);
		if (bodies.some(Number.isNaN)) {
			findings.fail(`exclude of bodies ${bodies.join(' and ')}, of which one does not exist`);
			continue;
		}
		const [first, second] = bodies.map((body) => Array.from(model.shapesOf(body))) as [number[], number[]];
		const missing = first.some((a) =>
			second.some((b) => a !== b && !filtered.has(`${Math.min(a, b)} ${Math.max(a, b)}`)),
		);
		findings.equal(`exclude of bodies ${bodies.join(' and ')}`, missing, false);
	}
}

function keyframes(dump: MujocoDump, { model, result }: Robot, findings: Findings): void {
	findings.equal('number of keyframes', result.keyframes.length, dump.sizes.nkey);
	if (result.keyframes.length !== dump.sizes.nkey) return;
	const array = (name: string): number[] => numbersOf(dump.arrays[name]);
	const refs = model.attributes.get('mujoco:dof_ref') as Float64Array;
	for (const [id, key] of result.keyframes.entries()) {
		const name = dump.names.key![id]!;
		if (name !== '') findings.equal(`keyframe ${id} name`, plain(key.name), plain(name));
		findings.numbers(`keyframe ${name} time`, [key.time], [array('key_time')[id]!], TOLERANCE);
		const qpos = row(array('key_qpos'), id, dump.sizes.nq!);
		const qvel = row(array('key_qvel'), id, dump.sizes.nv!);
		let at = 0;
		let dofAt = 0;
		for (const { type, coordinate, dof } of result.jointOrder) {
			const width = type === 'free' ? 7 : type === 'ball' ? 4 : 1;
			const q = qpos.slice(at, at + width);
			at += width;
			if (width === 1 && key.jointQd.size > 0) {
				findings.numbers(`keyframe ${name} qvel`, [key.jointQd.get(dof) ?? Number.NaN], [qvel[dofAt]!], TOLERANCE);
			}
			dofAt += width === 7 ? 6 : width === 4 ? 3 : 1;
			if (key.jointQ.size === 0) continue;
			const ours = Array.from({ length: width }, (_, i) => key.jointQ.get(coordinate + i) ?? Number.NaN);
			const end = width - 4;
			const theirs =
				width === 1 ? [q[0]! - refs[dof]!] : [...q.slice(0, end), q[end + 1]!, q[end + 2]!, q[end + 3]!, q[end]!];
			findings.numbers(`keyframe ${name} qpos`, ours, theirs, TOLERANCE);
		}
		if (key.ctrl.length > 0)
			findings.numbers(`keyframe ${name} ctrl`, key.ctrl, row(array('key_ctrl'), id, dump.sizes.nu!), TOLERANCE);
	}
}

/** Options that the model authors; what it leaves out has Newton's defaults here and MuJoCo's there. */
function options(dump: MujocoDump, { builder, model, result }: Robot, findings: Findings): void {
	const authored = new Set(
		result.ledger.entries().flatMap(({ path, name }) => (path.startsWith('option') ? [name] : [])),
	);
	const names = ['impratio', 'tolerance', 'ls_tolerance', 'ccd_tolerance', 'density', 'viscosity', 'wind', 'magnetic'];
	const counts = ['iterations', 'ls_iterations', 'ccd_iterations', 'sdf_iterations', 'sdf_initpoints'];
	for (const name of [...names, ...counts, 'integrator', 'solver', 'cone', 'jacobian']) {
		if (!authored.has(name)) continue;
		const value = model.attributes.get(`mujoco:${name}`) as Float64Array;
		findings.numbers(`option ${name}`, Array.from(value), numbersOf(dump.option[name]), TOLERANCE);
	}
	const isWeightless = (numbersOf(dump.option.disableflags)[0]! & DISABLED_GRAVITY) !== 0;
	const gravity = isWeightless ? [0, 0, 0] : numbersOf(dump.option.gravity);
	findings.numbers('option gravity', builder.gravity, gravity, TOLERANCE);
	if (result.timestep !== undefined)
		findings.numbers('option timestep', [result.timestep], numbersOf(dump.option.timestep), TOLERANCE);
}

function slice(values: ArrayLike<number>, index: number, width: number): number[] {
	return Array.from({ length: width }, (_, i) => values[index * width + i]!);
}
