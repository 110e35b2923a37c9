import type { Prim } from '../usd/prim.ts';
import { readText } from './read-values.ts';

/** Purposes of geometry, in the order of `extentsHint`. */
export const PURPOSES = ['default', 'render', 'proxy', 'guide'] as const;

/** A purpose and whether prims below take it over. */
export interface PurposeInfo {
	readonly purpose: string;
	readonly isInheritable: boolean;
}

/** Whether a prim can be drawn, hidden and given a purpose. */
export function isImageable(prim: Prim): boolean {
	return prim.isA('Imageable');
}

/** `invisible` when the prim or an ancestor is, else `inherited`. */
export function computeVisibility(prim: Prim, time?: number): 'inherited' | 'invisible' {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
		if (isImageable(at) && readText(at, 'visibility', time) === 'invisible') return 'invisible';
	}
	return 'inherited';
}

/**
 * Visibility for a purpose: hidden geometry is so for every purpose; otherwise the nearest `guideVisibility` and the
 * like counts. Guides are hidden unless something shows them.
 * @example
 * ```ts
 * const isShown = computeEffectiveVisibility(prim, 'guide') !== 'invisible';
 * ```
 */
export function computeEffectiveVisibility(
	prim: Prim,
	purpose: string = 'default',
	time?: number,
): 'inherited' | 'visible' | 'invisible' {
	if (computeVisibility(prim, time) === 'invisible') return 'invisible';
	if (purpose === 'default') return 'visible';
	const name = `${purpose}Visibility`;
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
		if (!isImageable(at) || !at.attribute(name).hasAuthoredValue) continue;
		const found = readText(at, name, time);
		if (found === 'visible' || found === 'invisible') return found;
		if (found === 'inherited') continue;
	}
	return purpose === 'guide' ? 'invisible' : 'inherited';
}

/** The purpose of a prim: its own opinion, else that of the nearest ancestor with one, else the fallback. */
export function computePurpose(prim: Prim): string {
	return computePurposeInfo(prim).purpose;
}

/** The purpose of a prim, and whether it comes from an opinion. */
export function computePurposeInfo(prim: Prim): PurposeInfo {
	for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
		const purpose = authoredPurpose(at);
		if (purpose !== undefined) return { purpose, isInheritable: true };
	}
	return { purpose: fallbackPurpose(prim), isInheritable: false };
}

/** The purpose of a prim when that of its parent is known. */
export function inheritPurpose(prim: Prim, parent: PurposeInfo): PurposeInfo {
	const purpose = authoredPurpose(prim);
	if (purpose !== undefined) return { purpose, isInheritable: true };
	return parent.isInheritable ? parent : { purpose: fallbackPurpose(prim), isInheritable: false };
}

function authoredPurpose(prim: Prim): string | undefined {
	if (!isImageable(prim)) return undefined;
	const attribute = prim.attribute('purpose');
	return attribute.hasAuthoredValue ? readText(prim, 'purpose') : undefined;
}

function fallbackPurpose(prim: Prim): string {
	return (isImageable(prim) ? readText(prim, 'purpose') : undefined) ?? 'default';
}
