import {
	Layer,
	ListOp,
	makeValue,
	Path,
	patchUsda,
	readUsda,
	SpecType,
	T,
	type Value,
	writeUsda,
} from '@manyworlds/usd';
import { childPaths, makeTimeSamples, subtreePaths } from '@manyworlds/usd/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

// One edit of a layer, chosen by numbers so that it means something for any layer.
interface Edit {
	readonly kind: number;
	readonly at: number;
	readonly value: number;
}

const edits = fc.array(fc.record({ kind: fc.nat(13), at: fc.nat(1000), value: fc.nat(1000) }), { maxLength: 8 });

/** Styles of writing: line end, indent, room between prims, comments. */
const styles = fc.record({
	unit: fc.constantFrom('\t', '  ', '    '),
	lineEnd: fc.constantFrom('\n', '\r\n'),
	isTight: fc.boolean(),
	comments: fc.boolean(),
});

interface Style {
	readonly unit: string;
	readonly lineEnd: string;
	readonly isTight: boolean;
	readonly comments: boolean;
}

const shapes = fc.array(fc.record({ depth: fc.nat(3), properties: fc.nat(4), kind: fc.nat(5) }), { maxLength: 12 });

/** Text of a layer with prims of the given depths, written in a style. */
function makeText(shape: readonly { depth: number; properties: number; kind: number }[], style: Style): string {
	const lines: string[] = ['#usda 1.0', '(', `${style.unit}upAxis = "Y"${style.comments ? ' # up' : ''}`, ')', ''];
	let depth = -1;
	const close = (to: number): void => {
		for (; depth >= to; depth--) lines.push(`${style.unit.repeat(depth)}}`);
	};
	shape.forEach((prim, i) => {
		const at = Math.min(prim.depth, depth + 1);
		close(at);
		const indent = style.unit.repeat(at);
		const inner = indent + style.unit;
		if (style.comments) lines.push(`${indent}# prim ${i}`);
		const metadata = prim.kind === 1 ? ` ( kind = "component" )` : '';
		lines.push(`${indent}def Xform "P${i}"${metadata}${style.isTight ? ' {' : ''}`);
		if (prim.kind === 2) {
			lines[lines.length - 1] = `${indent}def Xform "P${i}" (`;
			lines.push(`${inner}prepend apiSchemas = ["A"]${style.comments ? ' # applied' : ''}`, `${indent})`);
			if (style.isTight) lines[lines.length - 1] += ' {';
		}
		if (!style.isTight) lines.push(`${indent}{`);
		for (let k = 0; k < prim.properties; k++) {
			if (style.comments && k % 2 === 0) lines.push(`${inner}# property ${i}.${k}`);
			if (k === 3) lines.push(`${inner}rel r${k} = </P0>`);
			else if (k === 2) lines.push(`${inner}float f${k}.timeSamples = {`, `${inner}0: 1,`, `${inner}}`);
			else lines.push(`${inner}double  p${k}  =  ${k}.50${style.comments ? '  # tail' : ''}`);
		}
		if (prim.kind === 3) {
			lines.push(`${inner}variantSet "s" = {`, `${inner}"a" {`, `${inner}double v = 1`, `${inner}}`, `${inner}}`);
		}
		depth = at;
	});
	close(0);
	return lines.join(style.lineEnd) + style.lineEnd;
}

function applyEdit(layer: Layer, { kind, at, value }: Edit, serial: number): void {
	const all = [...subtreePaths(layer.data, Path.root)];
	const prims = all.filter((path) => {
		const type = layer.specType(path);
		return type === SpecType.prim || type === SpecType.variant;
	});
	const properties = all.filter((path) => layer.specType(path) === SpecType.attribute);
	const prim = prims[at % Math.max(prims.length, 1)];
	const property = properties[at % Math.max(properties.length, 1)];
	if (kind === 0) layer.setField('/', 'metersPerUnit', makeValue(T.double, value) as Value);
	else if (kind === 1) layer.createPrim(`/N${serial}`, { specifier: 'def', typeName: 'Scope' });
	else if (prim === undefined) return;
	else if (kind === 2) layer.createPrim(prim.appendChild(`N${serial}`), { specifier: 'def' });
	else if (kind === 3) {
		const set = prim.isVariant ? prim.parent!.appendVariant(prim.variantSet, '') : undefined;
		layer.removeSpec(prim);
		// canonical text has no form for a set without variants
		if (set !== undefined && childPaths(layer.data, set).length === 0) layer.removeSpec(set);
	} else if (kind === 4) layer.setField(prim, 'kind', makeValue(T.token, `k${value}`) as Value);
	else if (kind === 5) {
		const op = ListOp.edits({ prependedItems: [`S${value}`], appendedItems: value % 2 === 0 ? ['Z'] : [] });
		layer.setField(prim, 'apiSchemas', makeValue(T.tokenListOp, op) as Value);
	} else if (kind === 6) {
		layer.createAttribute(prim.appendProperty(`n${serial}`), 'double', { custom: value % 2 === 0 });
		layer.setField(prim.appendProperty(`n${serial}`), 'default', makeValue(T.double, value) as Value);
	} else if (kind === 7 && prim.isPrim) layer.setField(prim, 'typeName', makeValue(T.token, `T${value}`) as Value);
	else if (kind === 8) layer.eraseField(prim, 'apiSchemas');
	else if (kind === 9) layer.createVariant(prim.appendVariant('s', `v${value % 3}`));
	else if (kind === 10 && prim.isPrim && prim.parent !== null) {
		layer.moveSpec(prim, prim.parent.appendChild(`Moved${serial}`));
	} else if (property === undefined) return;
	else if (kind === 11) {
		const type = layer.field(property, 'typeName')?.data === 'float' ? T.float : T.double;
		layer.setField(property, 'default', makeValue(type, value) as Value);
	} else if (kind === 12) layer.removeSpec(property);
	else if (kind === 13 && layer.field(property, 'typeName')?.data === 'double') {
		const samples = makeTimeSamples(
			Float64Array.of(0, 1),
			[0, value].map((v) => makeValue(T.double, v) as Value),
		);
		layer.setField(property, 'timeSamples', makeValue(T.timeSamples, samples) as Value);
	}
}

/** Comments and statements of prims that an edited layer has unchanged, as the text has them. */
function untouchedLines(text: string, before: Layer, after: Layer): string[] {
	const bytes = new TextEncoder().encode(text);
	const kept: string[] = [];
	for (const path of subtreePaths(before.data, Path.root)) {
		if (before.specType(path) !== SpecType.prim || !after.has(path) || childPaths(before.data, path).length > 0)
			continue;
		const sameFields = before.fieldNames(path).every((name) => before.field(path, name) === after.field(path, name));
		if (!sameFields || before.fieldNames(path).length !== after.fieldNames(path).length) continue;
		const { start, end } = before.data.specSource(path)!;
		kept.push(new TextDecoder().decode(bytes.subarray(start, end)));
	}
	return kept;
}

describe('patchUsda on random layers and edits', () => {
	it('reads as the edited layer does, and leaves prims that did not change as they were', () => {
		const counts = { statements: 0, prims: 0, layer: 0 };
		fc.assert(
			fc.property(shapes, styles, edits, (shape, style, list) => {
				const text = makeText(shape, style);
				const bytes = new TextEncoder().encode(text);
				const before = new Layer('x', readUsda(bytes));
				const layer = new Layer('x', readUsda(bytes));
				for (const [i, edit] of list.entries()) applyEdit(layer, edit, i);
				const patched = patchUsda(bytes, layer.data);
				counts[patched.extent]++;
				const written = writeUsda(readUsda(patched.bytes));
				expect(new TextDecoder().decode(written)).toBe(new TextDecoder().decode(writeUsda(layer.data)));
				const result = new TextDecoder().decode(patched.bytes);
				if (patched.extent === 'statements') {
					for (const piece of untouchedLines(text, before, layer)) expect(result).toContain(piece);
				}
				// a second patch with the same content changes nothing
				expect(patchUsda(patched.bytes, layer.data).bytes).toEqual(patched.bytes);
			}),
			{ numRuns: 500, seed: 158 },
		);
		// renames keep their place among siblings, which statements alone can express too
		expect(counts.layer).toBeLessThan(6);
		expect(counts.prims).toBeLessThan(25);
	});
});
