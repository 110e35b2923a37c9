import type { RepCode } from '../../diagnostics.ts';
import type { FixFamily } from '../../rule.ts';

/** One edit that a fix makes. */
export interface PlanItem {
	readonly rule: RepCode;
	readonly family: FixFamily;
	/** File of the layer that is edited. */
	readonly layer: string;
	/** Path of the spec. */
	readonly path: string;
	readonly op: 'add' | 'remove' | 'set' | 'move' | 'file';
	/** The field that is set, unless it is the value of an attribute. */
	readonly field?: string;
	/** Values as usda text, cut when long. */
	readonly before?: string;
	readonly after?: string;
	/** Whether the plan has all that is needed to take the edit back. */
	readonly reversible: boolean;
}

/** Something that a fix could not do, or has to be told. */
export interface PlanNote {
	readonly rule: RepCode;
	readonly family: FixFamily;
	readonly kind: 'refused' | 'asked' | 'noted';
	readonly path?: string;
	readonly layer?: string;
	readonly message: string;
	/** The option that answers a question. */
	readonly parameter?: string;
}

/** What fixing an asset does, as data. */
export interface FixPlan {
	readonly version: 1;
	readonly asset: string;
	readonly items: readonly PlanItem[];
	readonly notes: readonly PlanNote[];
}

/** The plan as JSON text. */
export function formatPlan(plan: FixPlan): string {
	return `${JSON.stringify(plan, undefined, '\t')}\n`;
}

/** Numbers of edits by family, in the order of families. */
export function countByFamily(plan: FixPlan): Map<FixFamily, number> {
	const counts = new Map<FixFamily, number>();
	for (const { family } of plan.items) counts.set(family, (counts.get(family) ?? 0) + 1);
	return new Map([...counts].sort((a, b) => Number(a[0].slice(1)) - Number(b[0].slice(1))));
}
