import type { DiagnosticDetails } from '@manyworlds/core';
import type { Ledger } from './ledger.ts';

/** Tags of elements that become an entity of each kind. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
	body: ['body', 'link'],
	joint: ['joint', 'freejoint'],
	shape: ['geom', 'site', 'visual', 'collision'],
	actuator: ['motor', 'position', 'velocity', 'general', 'intvelocity', 'damper', 'cylinder', 'muscle', 'adhesion'],
	tendon: ['fixed', 'spatial'],
	equality: ['connect', 'weld', 'joint'],
};

/**
 * Where an asset authors an entity of the model: of USD the prim that its label is the path of, of URDF and MJCF the
 * element that it is called after. Empty when the ledger knows no such place.
 */
export function locateEntity(
	ledger: Ledger,
	kind: string,
	label: string,
): Pick<DiagnosticDetails, 'file' | 'range' | 'prim'> {
	const tags = TAGS[kind] ?? [];
	let [best, bestLength] = [undefined as ReturnType<Ledger['entries']>[number] | undefined, 0];
	for (const entry of ledger.entries()) {
		if (entry.path === label) {
			best = entry;
			break;
		}
		const element = /(?:^|\/)(\w+)\[([^\]]*)\]$/.exec(entry.path);
		if (element === null || !tags.includes(element[1]!)) continue;
		const names = namesOf(entry.path);
		const length = commonTail(names, label.split('/'));
		if (length > bestLength) [best, bestLength] = [entry, length];
	}
	const prim = label.startsWith('/') ? { prim: label } : {};
	if (best === undefined) return prim;
	return {
		...prim,
		...(best.file === undefined ? {} : { file: best.file }),
		...(best.range === undefined ? {} : { range: best.range }),
	};
}

/** Names of the elements of a path, from the outermost on. */
function namesOf(path: string): string[] {
	return [...path.matchAll(/(?:^|\/)\w+\[([^\]]*)\]/g)].map((match) => match[1]!);
}

/** How many of the last parts are the same. */
function commonTail(a: readonly string[], b: readonly string[]): number {
	let length = 0;
	while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length)) length++;
	return length;
}
