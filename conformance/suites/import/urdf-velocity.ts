import { readFileSync } from 'node:fs';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { Repair } from '../../src/newton/model-differences.ts';
import { pathOf } from './call-importer.ts';
import type { RepairInput } from './repairs.ts';

/**
 * Fault urdf-velocity: Newton 1.6.1 does not read `limit velocity`. The file is read again here, without our reader: each
 * revolute, continuous and prismatic joint has the velocity that it authors, all others what Newton says.
 */
export function* urdfVelocity({ it, context, expected }: RepairInput): Iterable<readonly [string, Repair]> {
	const array = expected.arrays.joint_velocity_limit;
	if (array === undefined || !it.steps.some((step) => step.call === 'add_urdf')) return;
	const defaults = it.builder.default_joint_cfg as { readonly velocity_limit?: number } | undefined;
	const missing = defaults?.velocity_limit ?? 1e6;
	const reference = expectedNumbers(array);
	const right = [...reference];
	const starts = expectedNumbers(expected.arrays.joint_qd_start!);
	const velocities = it.steps
		.filter((step) => step.call === 'add_urdf')
		.map((step) => {
			const scale = typeof step.options.scale === 'number' ? step.options.scale : 1;
			return velocitiesOf(readFileSync(pathOf(step, it.folder, context), 'utf8'), scale);
		});
	// imports of one robot give the same labels, so that any of them tells the velocity
	expected.labels.joint!.forEach((label, joint) => {
		const found = velocities.map((one) => one.get(label)).find((velocity) => velocity !== undefined);
		if (found === undefined) return;
		for (let dof = starts[joint]!; dof < starts[joint + 1]!; dof++) {
			right[dof] = found;
			reference[dof] = missing;
		}
	});
	yield ['joint_velocity_limit', { right, reference }];
}

/** Velocities by label of joints that move along one axis. */
function velocitiesOf(text: string, scale: number): Map<string, number> {
	const plain = text.replace(/<!--[\s\S]*?-->/g, '');
	const robot = /<robot\b[^>]*?\bname\s*=\s*["']([^"']*)["']/.exec(plain)?.[1];
	const out = new Map<string, number>();
	for (const [, tag, body] of plain.matchAll(/<joint\b([^>]*[^/])>([\s\S]*?)<\/joint>/g)) {
		const name = /\bname\s*=\s*["']([^"']*)["']/.exec(tag!)?.[1];
		const type = /\btype\s*=\s*["']([^"']*)["']/.exec(tag!)?.[1];
		const velocity = /<limit\b[^>]*?\bvelocity\s*=\s*["']([^"']*)["']/.exec(body!)?.[1];
		if (name === undefined || velocity === undefined || !['revolute', 'continuous', 'prismatic'].includes(type!))
			continue;
		out.set(robot ? `${robot}/${name}` : name, Number(velocity) * (type === 'prismatic' ? scale : 1));
	}
	return out;
}
