import { MjcfElement } from '@manyworlds/formats';
import { JointType } from '@manyworlds/model';
import { createDiagnostic } from '../diagnostics.ts';
import { LIMITED } from './add-target-actuators.ts';
import type { Conversion } from './conversion.ts';
import { isInTemplate } from './shape-plan.ts';
import { about, rowSubject, standFor } from './subject.ts';
import { UniqueNames } from './unique-names.ts';
import { copiedAttributes } from './value-table.ts';

/** Kinds of elements on the path of a spatial tendon. */
const WrapType = { SITE: 0, GEOM: 1, PULLEY: 2 } as const;

/** Adds the tendons of the `mujoco` namespace; one with a path that MuJoCo would refuse is left out with a warning. */
export function addTendons(conversion: Conversion): void {
	const { attributes, template } = conversion;
	const names = new UniqueNames();
	for (let row = 0; row < attributes.count('tendon'); row++) {
		if (!isInTemplate(template, attributes.number('tendon_world', row))) continue;
		const label = attributes.texts('tendon_label')?.[row]?.trim() || `tendon_${row}`;
		const subject = rowSubject('tendon', row, label);
		const type = attributes.number('tendon_type', row) ?? 0;
		const path =
			type === 0
				? fixedPath(conversion, row, label)
				: type === 1
					? spatialPath(conversion, row)
					: `its type ${type} is not known`;
		if (typeof path === 'string') {
			conversion.report.add(createDiagnostic('MJC013', `tendon '${label}' is left out: ${path}`, about(subject)));
			continue;
		}
		const name = names.take(label);
		const element = standFor(
			conversion,
			new MjcfElement(type === 0 ? 'fixed' : 'spatial', {
				name,
				...properties(conversion, row),
			}),
			subject,
		);
		element.replaceChildren(path);
		conversion.sections.tendon.append(element);
		conversion.tendons.push({ row, name });
	}
}

function properties(conversion: Conversion, row: number): ConstructorParameters<typeof MjcfElement>[1] {
	const { attributes } = conversion;
	const spring = attributes.row('tendon_springlength', row, 2);
	return {
		...copiedAttributes(conversion, 'tendon', row),
		limited: LIMITED[attributes.number('tendon_limited', row) ?? 2],
		actuatorfrclimited: LIMITED[attributes.number('tendon_actuator_force_limited', row) ?? 2],
		springlength: spring === undefined ? undefined : springLength(spring[0]!, spring[1]!),
	};
}

/** -1 asks MuJoCo for the length at the reference; a second number from the first on makes a dead band. */
function springLength(first: number, second: number): number[] {
	if (first === -1) return [-1, -1];
	return [first, Math.max(first, second)];
}

function fixedPath(conversion: Conversion, row: number, label: string): MjcfElement[] | string {
	const { model, attributes } = conversion;
	const start = attributes.number('tendon_joint_adr', row) ?? 0;
	const count = attributes.number('tendon_joint_num', row) ?? 0;
	if (count <= 0) return 'it has no joints';
	if (start < 0 || start + count > attributes.count('tendon_joint'))
		return `its joints ${start} to ${start + count - 1} do not exist`;
	const path: MjcfElement[] = [];
	for (let entry = start; entry < start + count; entry++) {
		const joint = attributes.number('tendon_joint', entry) ?? -1;
		const type = model.jointType[joint];
		const isScalar = type === JointType.REVOLUTE || type === JointType.PRISMATIC;
		const name = isScalar ? conversion.jointNames.get(joint) : undefined;
		if (name === undefined) {
			conversion.report.add(
				createDiagnostic(
					'MJC013',
					`joint ${joint} of tendon '${label}' is left out: it is not a scalar joint of the tree`,
					about(rowSubject('tendon', row, label)),
				),
			);
			continue;
		}
		path.push(new MjcfElement('joint', { joint: name, coef: attributes.number('tendon_coef', entry) ?? 0 }));
	}
	return path.length === 0 ? 'none of its joints is in the converted model' : path;
}

function spatialPath(conversion: Conversion, row: number): MjcfElement[] | string {
	const { attributes } = conversion;
	const start = attributes.number('tendon_wrap_adr', row) ?? 0;
	const count = attributes.number('tendon_wrap_num', row) ?? 0;
	if (start < 0 || count <= 0 || start + count > attributes.count('tendon_wrap'))
		return 'its path is empty or does not exist';
	const path: MjcfElement[] = [];
	for (let wrap = start; wrap < start + count; wrap++) {
		const type = attributes.number('tendon_wrap_type', wrap) ?? 0;
		const shape = attributes.number('tendon_wrap_shape', wrap) ?? -1;
		if (type === WrapType.SITE) {
			const site = conversion.siteNames.get(shape);
			if (site === undefined) return `site ${shape} of its path was not converted`;
			path.push(new MjcfElement('site', { site }));
		} else if (type === WrapType.GEOM) {
			const geom = conversion.geomNames.get(shape);
			if (geom === undefined) return `shape ${shape} of its path was not converted`;
			const sidesite = conversion.siteNames.get(attributes.number('tendon_wrap_sidesite', wrap) ?? -1);
			path.push(new MjcfElement('geom', { geom, sidesite }));
		} else if (type === WrapType.PULLEY) {
			const divisor = attributes.number('tendon_wrap_prm', wrap) ?? 0;
			if (!(divisor > 0)) return `a pulley of its path has divisor ${divisor}, expected a positive one`;
			path.push(new MjcfElement('pulley', { divisor }));
		} else return `element ${wrap} of its path is of type ${type}, which is not known`;
	}
	return checkPath(path) ?? path;
}

/** MuJoCo's rules: branches begin and end with a site, and a shape lies between two of them. */
function checkPath(path: readonly MjcfElement[]): string | undefined {
	let branch: string[] = [];
	for (const tag of [...path.map((element) => element.name), 'pulley']) {
		if (tag !== 'pulley') {
			branch.push(tag);
			continue;
		}
		if (branch.length < 2) return 'a branch of its path has fewer than two points';
		if (branch[0] !== 'site' || branch.at(-1) !== 'site')
			return 'a branch of its path does not begin and end with a site';
		if (branch.some((own, i) => own === 'geom' && branch[i + 1] !== 'site'))
			return 'two shapes of its path have no site between them';
		branch = [];
	}
	return undefined;
}
