import type { FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { ownSamples } from '../samples/own-samples.ts';
import { robotSamples } from '../samples/robot-samples.ts';
import { sharedSamples } from '../samples/shared-samples.ts';
import { crateAttacks } from './crate-attacks.ts';
import { damageGroups } from './damage-groups.ts';
import { mjcfGroups } from './mjcf-groups.ts';
import { packageAttacks } from './package-attacks.ts';
import { sdfGroups } from './sdf-groups.ts';
import { soupGroups } from './soup-groups.ts';
import { textAttacks } from './text-attacks.ts';
import { xmlAttacks } from './xml-attacks.ts';

/** Every group of cases. The same options give the same groups in the same order. */
export function allGroups(options: FuzzOptions): FuzzGroup[] {
	const amount = (full: number): number => Math.ceil(options.quick ? full / 100 : full);
	const groups = [
		...ownSamples().flatMap((sample) => damageGroups(sample, amount(10_000), options)),
		...(options.quick ? [] : sharedSamples().flatMap((sample) => damageGroups(sample, amount(1_000), options))),
		...robotSamples().flatMap((sample) => damageGroups(sample, amount(10_000), options)),
		...soupGroups(amount(20_000), options),
		...crateAttacks(amount(20_000), options),
		...textAttacks(options),
		...packageAttacks(options),
		...mjcfGroups(amount(4_000), options),
		...sdfGroups(amount(2_000), options),
		...xmlAttacks(),
	];
	return groups.map((group) => (options.quick ? thinned(group) : group));
}

/** Every n-th case of a group, so that a quick run still meets all kinds. */
function thinned(group: FuzzGroup): FuzzGroup {
	const most = 200;
	if (group.count <= most) return group;
	const step = Math.ceil(group.count / most);
	return { ...group, count: Math.floor(group.count / step), make: (index) => group.make(index * step) };
}
