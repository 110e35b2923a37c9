import { formatValue, type Layer, type Path, SpecType, type Value } from '@manyworlds/usd';
import { type ChangeList, formatField, isChildrenField, valuesEqual } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixFamily } from '../../rule.ts';
import type { PlanItem } from './plan.ts';

/** What a change list did, one entry for each spec that came or went and each field that is another now. */
export function planItems(rule: RepCode, family: FixFamily, layer: Layer, changes: ChangeList): PlanItem[] {
	const fields = new Map<string, { path: Path; field: string; before: Value | undefined; after: Value | undefined }>();
	const specs = new Map<Path, 'add' | 'remove'>();
	const setField = (path: Path, field: string, before: Value | undefined, after: Value | undefined): void => {
		const key = `${path}\n${field}`;
		const known = fields.get(key);
		fields.set(key, { path, field, before: known === undefined ? before : known.before, after });
	};
	for (const change of changes) {
		if (change.kind === 'add-spec') {
			// one that comes back is one whose fields changed
			if (!specs.delete(change.path)) specs.set(change.path, 'add');
		} else if (change.kind === 'remove-spec') {
			if (!specs.delete(change.path)) specs.set(change.path, 'remove');
			for (const [field, value] of change.fields) setField(change.path, field, value, undefined);
		} else if (change.kind === 'set-field') setField(change.path, change.field, change.before, change.after);
	}
	const items: PlanItem[] = [];
	const base = { rule, family, layer: layer.identifier, reversible: true };
	for (const [path, op] of specs) {
		const value = { before: fields.get(`${path}\ndefault`)?.before, after: fields.get(`${path}\ndefault`)?.after };
		items.push({
			...base,
			path: path.toString(),
			op,
			...(value.before !== undefined && op === 'remove' && { before: shownValue(value.before) }),
			...(value.after !== undefined && op === 'add' && { after: shownValue(value.after) }),
		});
	}
	for (const { path, field, before, after } of fields.values()) {
		const op = specs.get(path);
		if (isChildrenField(field) || valuesEqual(before, after)) continue;
		if (op !== undefined && (field === 'default' || QUIET.has(field) || (op === 'remove' && !layer.has(path))))
			continue;
		const isValue = field === 'default' && layer.specType(path) === SpecType.attribute;
		items.push({
			...base,
			path: path.toString(),
			op: before === undefined ? 'add' : after === undefined ? 'remove' : 'set',
			...(!isValue && { field }),
			...(before !== undefined && { before: isValue ? shownValue(before) : shownField(field, before) }),
			...(after !== undefined && { after: isValue ? shownValue(after) : shownField(field, after) }),
		});
	}
	return items;
}

/** Characters of a value in a plan. */
const LONGEST_VALUE = 160;

/** Fields that say nothing more about a new spec. */
const QUIET: ReadonlySet<string> = new Set(['custom', 'typeName', 'variability', 'specifier']);

function shownValue(value: Value): string {
	return cut(() => formatValue(value));
}

function shownField(field: string, value: Value): string {
	return cut(() => formatField(field, value).trimEnd());
}

function cut(format: () => string): string {
	let text: string;
	try {
		text = format();
	} catch {
		return '(a value that text has no form for)';
	}
	return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}
