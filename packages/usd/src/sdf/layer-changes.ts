import type { ChildrenField } from './children.ts';
import type { Path } from './path.ts';
import type { SpecType } from './spec-type.ts';
import type { Value } from './value.ts';

/** One change of a layer, with what is needed to take it back. */
export type LayerChange =
	| { readonly kind: 'add-spec'; readonly path: Path; readonly type: SpecType }
	| {
			readonly kind: 'remove-spec';
			readonly path: Path;
			readonly type: SpecType;
			readonly fields: readonly FieldEntry[];
	  }
	| {
			readonly kind: 'set-field';
			readonly path: Path;
			readonly field: string;
			readonly before: Value | undefined;
			readonly after: Value | undefined;
	  }
	/** A name entered or left the list of children `field` of `path` at `index`. */
	| {
			readonly kind: 'insert-child' | 'remove-child';
			readonly path: Path;
			readonly field: ChildrenField;
			readonly name: string;
			readonly index: number;
	  };

export type FieldEntry = readonly [name: string, value: Value];

/** The changes of one edit, in the order in which they were made. */
export type ChangeList = readonly LayerChange[];

/** The changes that take `changes` back. */
export function invertChanges(changes: ChangeList): LayerChange[] {
	const inverse: LayerChange[] = [];
	for (let i = changes.length - 1; i >= 0; i--) {
		const change = changes[i]!;
		switch (change.kind) {
			case 'add-spec':
				inverse.push({ kind: 'remove-spec', path: change.path, type: change.type, fields: [] });
				break;
			case 'remove-spec':
				inverse.push({ kind: 'add-spec', path: change.path, type: change.type });
				for (const [field, after] of change.fields) {
					inverse.push({ kind: 'set-field', path: change.path, field, before: undefined, after });
				}
				break;
			case 'set-field':
				inverse.push({ ...change, before: change.after, after: change.before });
				break;
			case 'insert-child':
				inverse.push({ ...change, kind: 'remove-child' });
				break;
			case 'remove-child':
				inverse.push({ ...change, kind: 'insert-child' });
				break;
		}
	}
	return inverse;
}
