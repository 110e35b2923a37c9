import { MjcfElement } from '@manyworlds/formats';
import { createDiagnostic } from '../diagnostics.ts';
import { MujocoError } from '../mujoco-error.ts';
import { LIMITED } from './add-target-actuators.ts';
import type { Conversion } from './conversion.ts';
import { isInTemplate, TransmissionType } from './shape-plan.ts';
import { about, nameOf, rowSubject, standFor } from './subject.ts';
import { copiedAttributes } from './value-table.ts';

/** Adds the actuators of the `mujoco` namespace that are controlled directly, after those of joint targets. */
export function addDirectActuators(conversion: Conversion): void {
	const { attributes, template } = conversion;
	for (let row = 0; row < attributes.count('actuator'); row++) {
		if (attributes.number('ctrl_source', row) === 0) continue;
		if (!isInTemplate(template, attributes.number('actuator_world', row))) continue;
		const label = attributes.texts('actuator_label')?.[row];
		const subject = rowSubject('actuator', row, label);
		const transmission = transmissionOf(conversion, row);
		if (typeof transmission === 'string') {
			conversion.report.add(
				createDiagnostic('MJC013', `${nameOf(subject)} is left out: ${transmission}`, about(subject)),
			);
			continue;
		}
		const actdim = attributes.number('actuator_actdim', row) ?? -1;
		const actearly = attributes.number('actuator_actearly', row);
		const word = (name: string, words: Readonly<Record<number, string>>): string => {
			const number = attributes.number(`actuator_${name}`, row) ?? 0;
			const found = words[number];
			if (found !== undefined) return found;
			const known = Object.entries(words).map(([key, value]) => `${key} (${value})`);
			throw new MujocoError(
				'MJC003',
				`${name} of ${nameOf(subject)} is ${number}, expected one of ${known.join(', ')}`,
				subject,
			);
		};
		const element = new MjcfElement('general', {
			...transmission,
			// a positive third number of biasprm is a damping ratio, which MuJoCo resolves when it compiles
			...copiedAttributes(conversion, 'actuator', row),
			dyntype: word('dyntype', DYNAMICS),
			gaintype: word('gaintype', GAINS),
			biastype: word('biastype', BIASES),
			ctrllimited: LIMITED[attributes.number('actuator_ctrllimited', row) ?? 2],
			forcelimited: LIMITED[attributes.number('actuator_forcelimited', row) ?? 2],
			actlimited: LIMITED[attributes.number('actuator_actlimited', row) ?? 2],
			actdim: actdim >= 0 ? actdim : undefined,
			actearly: actearly === undefined ? undefined : actearly !== 0,
			...attributes.written('actuator', row),
		});
		conversion.sections.actuator.append(standFor(conversion, element, subject));
		conversion.actuators.push({ source: 1, index: row, coordinate: -1, axis: -1, ballJoint: -1, row });
	}
}

/** Words of MJCF by the numbers of the namespace; functions of the user have Newton's number and MuJoCo's. */
const DYNAMICS = { 0: 'none', 1: 'integrator', 2: 'filter', 3: 'filterexact', 4: 'muscle', 5: 'user', 7: 'user' };
const GAINS = { 0: 'fixed', 1: 'affine', 2: 'muscle', 3: 'user', 6: 'user' };
const BIASES = { 0: 'none', 1: 'affine', 2: 'muscle', 3: 'user', 5: 'user' };

/** What the actuator acts on as attributes, or why that cannot be said. */
function transmissionOf(conversion: Conversion, row: number): Record<string, string | number> | string {
	const { attributes } = conversion;
	const label = attributes.texts('actuator_target_label')?.[row] ?? '';
	const trnid = attributes.row('actuator_trnid', row, 2) ?? [-1, -1];
	let type = attributes.number('actuator_trntype', row) ?? 0;
	let [target, second] = [trnid[0]!, trnid[1]!];
	// older importers wrote tendons to the second number
	if (type === TransmissionType.TENDON && second >= 0 && (target < 0 || (target === 0 && second > 0))) target = second;
	if (target < 0 && label !== '') {
		const found = findLabel(conversion, label);
		if (found !== undefined) [type, target] = found;
	}
	if (target < 0) return `its target '${label}' is not in the model`;
	if (type === TransmissionType.JOINT || type === TransmissionType.JOINT_IN_PARENT) {
		const joint = conversion.dofNames.get(target);
		if (joint === undefined) return `degree of freedom ${target} is not in the converted tree`;
		return type === TransmissionType.JOINT ? { joint } : { jointinparent: joint };
	}
	if (type === TransmissionType.TENDON) {
		const tendon = conversion.tendons.find((known) => known.row === target)?.name;
		return tendon === undefined ? `tendon ${target} was not converted` : { tendon };
	}
	if (type === TransmissionType.BODY) {
		const body = conversion.bodyNames.get(target);
		return body === undefined ? `body ${target} was not converted` : { body };
	}
	if (type === TransmissionType.SITE) {
		// by label first: a target of 0 may mean that it was never set
		const labelled = [...conversion.siteNames].find(([shape]) => conversion.model.shapeLabels[shape] === label)?.[1];
		const site = labelled ?? conversion.siteNames.get(target);
		const refsite = second >= 0 ? conversion.siteNames.get(second) : undefined;
		if (site === undefined || (second >= 0 && refsite === undefined))
			return `site ${site === undefined ? target : second} was not converted`;
		return refsite === undefined ? { site } : { site, refsite };
	}
	if (type === TransmissionType.SLIDERCRANK) {
		const cranksite = conversion.siteNames.get(target);
		const slidersite = conversion.siteNames.get(second);
		if (cranksite === undefined || slidersite === undefined) return `a site of its slider-crank was not converted`;
		return { cranksite, slidersite, cranklength: attributes.number('actuator_cranklength', row) ?? 0 };
	}
	return `transmission type ${type} is not known`;
}

/** Finds a target by its label: degree of freedom, tendon, site or body of the compiled world. */
function findLabel(conversion: Conversion, label: string): [type: number, index: number] | undefined {
	const { model, attributes, template } = conversion;
	const dofLabels = attributes.texts('joint_dof_label') ?? [];
	for (const dof of conversion.dofNames.keys()) if (dofLabels[dof] === label) return [TransmissionType.JOINT, dof];
	const tendonLabels = attributes.texts('tendon_label') ?? [];
	for (const { row } of conversion.tendons) if (tendonLabels[row] === label) return [TransmissionType.TENDON, row];
	for (const shape of conversion.siteNames.keys()) {
		if (model.shapeLabels[shape] === label) return [TransmissionType.SITE, shape];
	}
	for (const body of template.bodies) if (model.bodyLabels[body] === label) return [TransmissionType.BODY, body];
	return undefined;
}
