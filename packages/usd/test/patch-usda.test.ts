import { Layer, ListOp, makeValue, patchUsda, readUsda, T, type Value, writeUsda } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';

const TEXT = `#usda 1.0
( # about the file
    defaultPrim = "Robot" # the robot
    upAxis = "Y"
)

# the robot itself
def Xform "Robot" (
    # how big it is
    kind = "component"
    prepend apiSchemas = ["PhysicsArticulationRootAPI"] # root
)
{
    # first a number
    double   radius   =   2.50   # metres
    float3 size = (1, 2,   3)
    custom string note = """two
    lines""" (
        doc = "keep"
    )

    # a link
    def Xform "link" { }

    def Xform "other"
    {
        double a = 1; double b = 2
        rel target = </Robot/link>
        token samples.timeSamples = {
            0: "a",
            1: "b",
        }
    }
    variantSet "v" = {
        "one" {
            double inVariant = 1 # here
        }
    }
}
`;

function patch(text: string, edit: (layer: Layer) => void): { text: string; extent: string } {
	const bytes = new TextEncoder().encode(text);
	const layer = new Layer('x.usda', readUsda(bytes));
	edit(layer);
	const { bytes: patched, extent } = patchUsda(bytes, layer.data);
	expect(new TextDecoder().decode(writeUsda(readUsda(patched)))).toBe(new TextDecoder().decode(writeUsda(layer.data)));
	return { text: new TextDecoder().decode(patched), extent };
}

/** Lines that are in one text only, with their sign. */
function changes(before: string, after: string): string[] {
	const a = before.split('\n');
	const b = after.split('\n');
	let head = 0;
	while (head < a.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
	return [
		...a.slice(head, a.length - tail).map((line) => `-${line}`),
		...b.slice(head, b.length - tail).map((line) => `+${line}`),
	];
}

function expectChanges(edit: (layer: Layer) => void, lines: string[], text: string = TEXT): void {
	const result = patch(text, edit);
	expect(changes(text, result.text)).toEqual(lines);
	expect(result.extent).toBe('statements');
}

const double = (value: number): Value => makeValue(T.double, value) as Value;
const token = (value: string): Value => makeValue(T.token, value) as Value;

describe('patchUsda', () => {
	it('gives the same bytes when nothing changed', () => {
		expectChanges(() => {}, []);
	});

	it('replaces a value and nothing around it', () => {
		expectChanges(
			(layer) => layer.setField('/Robot.radius', 'default', double(3)),
			['-    double   radius   =   2.50   # metres', '+    double   radius   =   3   # metres'],
		);
	});

	it('replaces and adds metadata of the layer', () => {
		expectChanges(
			(layer) => {
				layer.setField('/', 'upAxis', token('Z'));
				layer.setField('/', 'metersPerUnit', double(1));
			},
			['-    upAxis = "Y"', '+    upAxis = "Z"', '+    metersPerUnit = 1'],
		);
	});

	it('adds metadata to a layer that has none', () => {
		const { text } = patch('#usda 1.0\n\ndef "A"\n{\n}\n', (layer) => layer.setField('/', 'defaultPrim', token('A')));
		expect(text).toBe('#usda 1.0\n(\n    defaultPrim = "A"\n)\n\ndef "A"\n{\n}\n');
	});

	it('removes a statement with its comment and keeps the comment above', () => {
		expectChanges((layer) => layer.removeSpec('/Robot.radius'), ['-    double   radius   =   2.50   # metres']);
	});

	it('removes one of two statements of a line', () => {
		expectChanges(
			(layer) => layer.removeSpec('/Robot/other.a'),
			['-        double a = 1; double b = 2', '+        double b = 2'],
		);
		expectChanges(
			(layer) => layer.removeSpec('/Robot/other.b'),
			['-        double a = 1; double b = 2', '+        double a = 1; '],
		);
	});

	it('removes every statement of an attribute with time samples', () => {
		expectChanges(
			(layer) => layer.removeSpec('/Robot/other.samples'),
			['-        token samples.timeSamples = {', '-            0: "a",', '-            1: "b",', '-        }'],
		);
	});

	it('adds a property after the others', () => {
		expectChanges(
			(layer) => {
				layer.createAttribute('/Robot/other.c', 'double');
				layer.setField('/Robot/other.c', 'default', double(3));
			},
			['+        double c = 3'],
		);
	});

	it('adds a property to braces on one line', () => {
		expectChanges(
			(layer) => {
				layer.createAttribute('/Robot/link.c', 'double');
				layer.setField('/Robot/link.c', 'default', double(3));
			},
			['-    def Xform "link" { }', '+    def Xform "link" {', '+        double c = 3', '+    }'],
		);
	});

	it('adds metadata to a prim without any, and to one with comments in it', () => {
		expectChanges(
			(layer) => layer.setField('/Robot/link', 'kind', token('subcomponent')),
			['-    def Xform "link" { }', '+    def Xform "link" (', '+        kind = "subcomponent"', '+    ) { }'],
		);
		expectChanges(
			(layer) => {
				const op = ListOp.edits({ prependedItems: ['PhysicsRigidBodyAPI'] });
				layer.setField('/Robot', 'apiSchemas', makeValue(T.tokenListOp, op) as Value);
			},
			[
				'-    prepend apiSchemas = ["PhysicsArticulationRootAPI"] # root',
				'+    prepend apiSchemas = ["PhysicsRigidBodyAPI"] # root',
			],
		);
	});

	it('changes specifier and type in place', () => {
		expectChanges(
			(layer) => {
				layer.setField('/Robot/link', 'specifier', makeValue(T.specifier, 'over') as Value);
				layer.setField('/Robot/link', 'typeName', token('Scope'));
			},
			['-    def Xform "link" { }', '+    over Scope "link" { }'],
		);
		expectChanges(
			(layer) => layer.eraseField('/Robot/link', 'typeName'),
			['-    def Xform "link" { }', '+    def "link" { }'],
		);
	});

	it('adds a prim after its elder sibling and removes one', () => {
		expectChanges(
			(layer) => layer.createPrim('/Robot/third', { specifier: 'def', typeName: 'Scope' }),
			['+', '+    def Scope "third"', '+    {', '+    }'],
		);
		expectChanges((layer) => layer.removeSpec('/Robot/link'), ['-    def Xform "link" { }']);
	});

	it('edits, adds and removes variants', () => {
		expectChanges(
			(layer) => layer.setField('/Robot{v=one}.inVariant', 'default', double(2)),
			['-            double inVariant = 1 # here', '+            double inVariant = 2 # here'],
		);
		expectChanges((layer) => layer.createVariant('/Robot{v=two}'), ['+        "two" {', '+', '+        }']);
		expectChanges(
			(layer) => layer.createVariant('/Robot{w=two}'),
			['+    variantSet "w" = {', '+        "two" {', '+', '+        }', '+    }'],
		);
	});

	it('keeps to the indentation and line ends of the text', () => {
		const text = '#usda 1.0\r\n\r\ndef "A"\r\n{\r\n\tdouble a = 1\r\n}\r\n';
		const { text: patched } = patch(text, (layer) => {
			layer.createPrim('/A/B', { specifier: 'def' });
			layer.createAttribute('/A/B.x', 'double');
		});
		expect(patched).toBe(
			'#usda 1.0\r\n\r\ndef "A"\r\n{\r\n\tdouble a = 1\r\n\r\n\tdef "B"\r\n\t{\r\n\t\tdouble x\r\n\t}\r\n}\r\n',
		);
	});

	it('leaves strings of several lines alone', () => {
		expectChanges(
			(layer) => {
				layer.createAttribute('/Robot/other.text', 'string', { custom: true });
				layer.setField('/Robot/other.text', 'default', makeValue(T.string, 'a\n  b') as Value);
			},
			['+        custom string text = """a', '+  b"""'],
		);
	});

	it('writes prims anew where their order changed, and others not', () => {
		const { text, extent } = patch(TEXT, (layer) => layer.reorderChildren('/Robot', 'primChildren', ['other', 'link']));
		expect(extent).toBe('prims');
		expect(text).toContain('# about the file');
	});
});
