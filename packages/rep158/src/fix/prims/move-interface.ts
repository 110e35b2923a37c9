import { type Layer, ListOp, makeValue, type Path, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import { addsItem, withoutItem } from '../engine/sites.ts';

/**
 * Moves an applied schema with its properties from a prim to one of its children, in every layer that has a say in it. The child is
 * defined as an Xform where nobody defines it.
 */
export function moveSchema(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	schema: string,
	prefix: string,
	childName: string,
): void {
	let isDefined = session.stage.prim(prim.path.appendChild(childName))?.isDefined === true;
	for (const { layer, path } of prim.specs()) {
		const op = dataOf(layer.field(path, 'apiSchemas'), T.tokenListOp);
		const names = (dataOf(layer.field(path, 'properties'), T.tokenVector) ?? []).filter((name) =>
			name.startsWith(`${prefix}:`),
		);
		const isApplied = op !== undefined && addsItem(op, schema);
		if ((!isApplied && names.length === 0) || !session.isEditable(layer)) continue;
		const child = path.appendChild(childName);
		session.edit(rule, layer, () => {
			if (!isDefined && isApplied) layer.createPrim(child, { specifier: 'def', typeName: 'Xform' });
			else if (!layer.has(child)) layer.createPrim(child);
			if (isApplied) moveApplied(layer, path, child, op, schema);
			for (const name of names) {
				const target = child.appendProperty(name);
				if (layer.has(target)) layer.removeSpec(path.appendProperty(name));
				else layer.moveSpec(path.appendProperty(name), target);
			}
		});
		if (isApplied) isDefined = true;
	}
}

function moveApplied(layer: Layer, from: Path, to: Path, op: ListOp<string>, schema: string): void {
	const rest = withoutItem(op, schema);
	if (rest.isInert) layer.eraseField(from, 'apiSchemas');
	else layer.setField(from, 'apiSchemas', makeValue(T.tokenListOp, rest) as Value);
	const present = dataOf(layer.field(to, 'apiSchemas'), T.tokenListOp);
	const items = [...(present?.prependedItems ?? []), schema];
	layer.setField(
		to,
		'apiSchemas',
		makeValue(T.tokenListOp, ListOp.edits({ prependedItems: [...new Set(items)] })) as Value,
	);
}

/** A name for a new child that no child has. */
export function freeChildName(prim: Prim, wish: string): string {
	let name = wish;
	for (let i = 2; prim.child(name) !== undefined; i++) name = `${wish}_${i}`;
	return name;
}
