import type { SpecMove } from '@manyworlds/usd';
import { Layer, Path, patchUsda, readUsda, writeUsda } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';

const TEXT = `#usda 1.0

def Xform "R"
{
    def Xform "link" # the only one
    {
    }

    # the hinge of the door,
    # measured twice
    def PhysicsRevoluteJoint "hinge" (
        # a note
        doc = """two
lines"""
    )
    {
        # degrees
        float   physics:lowerLimit = -90 # as measured
        rel physics:body0 = </R/link>
    }

    # stays
    def Scope "other"
    {
    }
}
`;

function move(text: string, moves: readonly (readonly [string, string])[], edit?: (layer: Layer) => void): string {
	const bytes = new TextEncoder().encode(text);
	const layer = new Layer('x.usda', readUsda(bytes));
	const list: SpecMove[] = [];
	for (const [from, to] of moves) {
		const [a, b] = [Path.parse(from)!, Path.parse(to)!];
		if (b.parent!.isVariant) {
			if (!layer.has(b.parent!)) layer.createVariant(b.parent!);
		} else if (!layer.has(b.parent!)) layer.createPrim(b.parent!);
		layer.moveSpec(a, b);
		list.push({ from: a, to: b });
	}
	edit?.(layer);
	const { bytes: patched, extent } = patchUsda(bytes, layer.data, { moves: list });
	expect(extent).toBe('statements');
	expect(new TextDecoder().decode(writeUsda(readUsda(patched)))).toBe(new TextDecoder().decode(writeUsda(layer.data)));
	return new TextDecoder().decode(patched);
}

describe('moved prims', () => {
	it('take their text along, with comments inside and right above', () => {
		expect(move(TEXT, [['/R/hinge', '/R/link/hinge']])).toBe(`#usda 1.0

def Xform "R"
{
    def Xform "link" # the only one
    {
        # the hinge of the door,
        # measured twice
        def PhysicsRevoluteJoint "hinge" (
            # a note
            doc = """two
lines"""
        )
        {
            # degrees
            float   physics:lowerLimit = -90 # as measured
            rel physics:body0 = </R/link>
        }
    }

    # stays
    def Scope "other"
    {
    }
}
`);
	});

	it('take it into prims and variants that are new, under another name, and follow edits', () => {
		const text = move(TEXT, [['/R/hinge', '/R/new/axle']], (layer) => {
			layer.removeSpec('/R/new/axle.physics:body0');
		});
		expect(text).toContain('# measured twice\n        def PhysicsRevoluteJoint "axle" (');
		expect(text).toContain('# as measured');
		expect(text).not.toContain('body0');
		const inside = move(TEXT, [['/R/hinge', '/R{v=a}hinge']]);
		expect(inside).toContain('"a" {\n            # the hinge of the door,\n            # measured twice\n');
	});

	it('follow chains of moves, and moves into what has moved', () => {
		const text = move(TEXT, [
			['/R/hinge', '/R/link/hinge'],
			['/R/link', '/R/other/link'],
			['/R/other/link/hinge', '/R/hinge_2'],
			['/R/hinge_2', '/R/other/link/again'],
		]);
		expect(text.match(/# measured twice/g)).toHaveLength(1);
		expect(text).toContain('def Xform "link" # the only one');
		expect(text).toContain('def PhysicsRevoluteJoint "again"');
	});

	it('keep the line ends of the text', () => {
		const text = move(TEXT.replaceAll('\n', '\r\n'), [['/R/hinge', '/R/link/hinge']]);
		expect(text.replace('two\r\nlines', 'two lines')).not.toMatch(/[^\r]\n/);
	});
});
