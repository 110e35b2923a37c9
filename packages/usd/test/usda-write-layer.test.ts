import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { ListOp } from '../src/sdf/list-op.ts';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import {
	type Dictionary,
	makePayload,
	makeReference,
	makeTimeSamples,
	makeValue,
	type Value,
} from '../src/sdf/value.ts';
import { T, type ValueType } from '../src/sdf/value-type.ts';
import { writeUsda, writeUsdaPrim } from '../src/usda/write-usda.ts';

type Fields = Record<string, Value>;

/** A layer under construction whose children fields keep themselves. */
class Builder {
	readonly data = new MemoryData();

	constructor(fields: Fields = {}) {
		this.#add(Path.root, SpecType.pseudoRoot, fields);
	}

	prim(text: string, fields: Fields = {}, specifier: 'def' | 'over' | 'class' = 'def'): this {
		const path = pathOf(text);
		this.#list(path.parent!, 'primChildren', path.name);
		this.#add(path, SpecType.prim, { specifier: makeValue(T.specifier, specifier), ...fields });
		return this;
	}

	attribute(text: string, typeName: string, fields: Fields = {}): this {
		const path = pathOf(text);
		this.#list(path.parent!, 'properties', path.name);
		const own = { custom: makeValue(T.bool, false), variability: makeValue(T.variability, 'varying') };
		this.#add(path, SpecType.attribute, { ...own, typeName: makeValue(T.token, typeName), ...fields });
		return this;
	}

	relationship(text: string, fields: Fields = {}): this {
		const path = pathOf(text);
		this.#list(path.parent!, 'properties', path.name);
		const own = { custom: makeValue(T.bool, false), variability: makeValue(T.variability, 'uniform') };
		this.#add(path, SpecType.relationship, { ...own, ...fields });
		return this;
	}

	variant(owner: string, set: string, name: string, fields: Fields = {}): this {
		const path = pathOf(owner);
		const setPath = path.appendVariant(set, '');
		if (!this.data.has(setPath)) {
			this.#list(path, 'variantSetChildren', set);
			this.#add(setPath, SpecType.variantSet, {});
		}
		this.#list(setPath, 'variantChildren', name);
		this.#add(path.appendVariant(set, name), SpecType.variant, fields);
		return this;
	}

	text(): string {
		return new TextDecoder().decode(writeUsda(this.data));
	}

	#add(path: Path, type: SpecType, fields: Fields): void {
		const spec = this.data.addSpec(path, type);
		for (const [name, value] of Object.entries(fields)) spec.set(name, value);
	}

	#list(path: Path, field: string, name: string): void {
		const names = (this.data.field(path, field)?.data ?? []) as readonly string[];
		this.data.setField(path, field, makeValue(T.tokenVector, [...names, name]));
	}
}

function pathOf(text: string): Path {
	return Path.parse(text)!;
}

const string = (text: string): Value => makeValue(T.string, text) as Value;
const token = (text: string): Value => makeValue(T.token, text) as Value;
const double = (number: number): Value => makeValue(T.double, number) as Value;
const dictionary = (entries: Record<string, Value>): Value =>
	makeValue(T.dictionary, new Map(Object.entries(entries)) as Dictionary) as Value;
const paths = (...texts: string[]): Path[] => texts.map(pathOf);
const value = <D>(type: ValueType<D>, data: D): Value => makeValue(type, data) as Value;

/** The lines of an attribute `x` of type `typeName` inside its prim, without indentation of the first. */
function attributeText(typeName: string, fields: Fields): string {
	const text = new Builder().prim('/A').attribute('/A.x', typeName, fields).text();
	return text.slice(text.indexOf('{\n') + 2, text.lastIndexOf('}\n\n')).replace(/^ {4}/gm, '');
}

describe('layer', () => {
	it('without content is a header and an empty line', () => {
		expect(new Builder().text()).toBe('#usda 1.0\n\n');
	});

	it('has its comment first, fields by name, relocates last', () => {
		const layer = new Builder({
			upAxis: token('Z'),
			metersPerUnit: double(0.01),
			comment: string('made by hand'),
			documentation: string('two\nlines'),
			subLayers: value(T.stringVector, ['a.usda', 'b.usda', 'c.usda']),
			subLayerOffsets: value(T.layerOffsetVector, [
				{ offset: 1, scale: 2 },
				{ offset: 0, scale: 1 },
				{ offset: 0, scale: 0.5 },
			]),
			layerRelocates: value(T.relocates, [
				[pathOf('/A/b'), pathOf('/A/c')],
				[pathOf('/A/d'), Path.empty],
			]),
			Zebra: value(T.unregistered, '[1, 2]'),
			hasOwnedSubLayers: value(T.bool, true),
		});
		expect(layer.text()).toBe(`#usda 1.0
(
    "made by hand"
    Zebra = [1, 2]
    doc = """two
lines"""
    hasOwnedSubLayers = true
    metersPerUnit = 0.01
    subLayers = [
        @a.usda@ (offset = 1; scale = 2),
        @b.usda@,
        @c.usda@ (scale = 0.5)
    ]
    upAxis = "Z"
    relocates = {
        </A/b>: </A/c>, 
        </A/d>: <>
    }
)

`);
	});

	it('leaves out parentheses that would be empty', () => {
		expect(new Builder({ documentation: string(''), hasOwnedSubLayers: value(T.bool, false) }).text()).toBe(
			'#usda 1.0\n\n',
		);
	});

	it('states the order of root prims when it names several', () => {
		const order = (names: string[]) => new Builder({ primOrder: value(T.tokenVector, names) }).text();
		expect(order(['b', 'a'])).toBe('#usda 1.0\n\nreorder rootPrims = ["b", "a"]\n\n');
		expect(order(['b'])).toBe('#usda 1.0\n\n');
	});
});

describe('prims', () => {
	it('keep their order, have sorted properties and blank lines between', () => {
		const layer = new Builder()
			.prim('/World', { typeName: token('Xform') })
			.prim('/World/b', { typeName: token('__AnyType__') }, 'class')
			.prim('/World/a', { typeName: token('Mesh') }, 'over')
			.attribute('/World.x10', 'float')
			.attribute('/World.X2', 'float')
			.relationship('/World.x1')
			.prim('/Other');
		layer.data.setField(pathOf('/World'), 'propertyOrder', makeValue(T.tokenVector, ['x10', 'X2']));
		layer.data.setField(pathOf('/World'), 'primOrder', makeValue(T.tokenVector, ['a', 'b']));
		expect(layer.text()).toBe(`#usda 1.0

def Xform "World"
{
    reorder properties = ["x10", "X2"]
    reorder nameChildren = ["a", "b"]
    rel x1
    float X2
    float x10

    class "b"
    {
    }

    over Mesh "a"
    {
    }
}

def "Other"
{
}

`);
	});

	it('have metadata in dictionary order under the names of the text format', () => {
		const layer = new Builder().prim('/A', {
			comment: string('first'),
			variantSetNames: value(T.stringListOp, ListOp.edits({ prependedItems: ['lod'], deletedItems: ['a', 'b'] })),
			variantSelection: value(
				T.variantSelectionMap,
				new Map([
					['lod', 'high'],
					['Color', 'red'],
				]),
			),
			inheritPaths: value(T.pathListOp, ListOp.edits({ deletedItems: paths('/Z', '/Y') })),
			specializes: value(T.pathListOp, ListOp.explicit(paths('/Base'))),
			active: value(T.bool, true),
			apiSchemas: value(T.tokenListOp, ListOp.edits({ prependedItems: ['B', 'A'] })),
			kind: token('component'),
			permission: value(T.permission, 'private'),
			symmetryFunction: token(''),
			payload: value(T.payloadListOp, ListOp.explicit([makePayload('a.usd', Path.empty, { offset: 0, scale: 2 })])),
			references: value(
				T.referenceListOp,
				ListOp.explicit([
					makeReference('b.usd', pathOf('/B'), { offset: 1, scale: 1 }, new Map([['note', string('x')]])),
					makeReference('', Path.empty),
					makeReference('c@d.usd', pathOf('/C')),
				]),
			),
			prefixSubstitutions: dictionary({ b: string('2'), $a: string('1') }),
			inactiveIds: value(T.int64ListOp, ListOp.explicit([5n, -7n])),
			clipSets: value(T.stringListOp, ListOp.explicit<string>([])),
		});
		expect(layer.text()).toBe(`#usda 1.0

def "A" (
    "first"
    active = true
    prepend apiSchemas = ["B", "A"]
    clipSets = None
    inactiveIds = [5, -7]
    delete inherits = [
        </Z>,
        </Y>
    ]
    kind = "component"
    payload = @a.usd@ (scale = 2)
    permission = private
    prefixSubstitutions = {
        "$a": "1", 
        "b": "2"
    }
    references = [
        @b.usd@</B> (
            offset = 1
            customData = {
                string note = "x"
            }
        ),
        <>,
        @@@c@d.usd@@@</C>
    ]
    specializes = </Base>
    symmetryFunction = 
    variants = {
        string Color = "red"
        string lod = "high"
    }
    delete variantSets = ["a", "b"]
    prepend variantSets = "lod"
)
{
}

`);
	});

	it('write relocates relative to themselves', () => {
		const relocates = value(T.relocates, [
			[pathOf('/A/to/delete'), Path.empty],
			[pathOf('/source'), pathOf('/target')],
		]);
		expect(new Builder().prim('/A', { relocates }).text()).toContain(
			'    relocates = {\n        <../source>: <../target>, \n        <to/delete>: <>\n    }\n',
		);
	});

	it('open parentheses for metadata that writes nothing', () => {
		const inert = value(T.tokenListOp, ListOp.edits<string>({}));
		expect(new Builder().prim('/A', { apiSchemas: inert }).text()).toContain('def "A" (\n)\n{\n}\n');
	});

	it('have variants by name inside sets in stored order', () => {
		const layer = new Builder()
			.prim('/A')
			.variant('/A', 'shape', 'b', { comment: string('c') })
			.variant('/A', 'shape', 'B')
			.variant('/A', 'color', 'x')
			.variant('/A{shape=b}', 'inner', 'y')
			.attribute('/A{shape=b}.size', 'double')
			.prim('/A{shape=B}child');
		expect(layer.text()).toBe(`#usda 1.0

def "A"
{
    variantSet "shape" = {
        "B" {
            def "child"
            {
            }

        }
        "b" (
            "c"
        ) {
            double size
            variantSet "inner" = {
                "y" {

                }
            }

        }
    }
    variantSet "color" = {
        "x" {

        }
    }
}

`);
	});

	it('may be nested thousands of levels deep', () => {
		const depth = 5000;
		const { data } = new Builder();
		let path = Path.root;
		for (let i = 0; i < depth; i++) {
			data.setField(path, 'primChildren', makeValue(T.tokenVector, ['p']));
			path = path.appendChild('p');
			data.addSpec(path, SpecType.prim).set('specifier', makeValue(T.specifier, 'def'));
		}
		const bytes = writeUsda(data);
		// three lines for each prim, indented by four spaces for each level above
		const lines = 'def "p"\n'.length + '{\n'.length + '}\n'.length;
		expect(bytes.length).toBe('#usda 1.0\n\n\n'.length + depth * lines + (3 * 4 * depth * (depth - 1)) / 2);
		expect(new TextDecoder().decode(bytes.subarray(-9))).toBe('    }\n}\n\n');
	});

	it('can be written alone', () => {
		const { data } = new Builder()
			.prim('/A')
			.prim('/A/b')
			.attribute('/A/b.x', 'int', { default: value(T.int, 3) });
		const text = new TextDecoder().decode(writeUsdaPrim(data, pathOf('/A/b'), 1));
		expect(text).toBe('    def "b"\n    {\n        int x = 3\n    }\n');
	});
});

describe('attributes', () => {
	it.each<[string, Value, string]>([
		['bool', value(T.bool, true), '1'],
		['bool[]', value(T.bool.array, Uint8Array.of(1, 0)), '[1, 0]'],
		['uchar', value(T.uchar, 65), '65'],
		['int64', value(T.int64, -(2n ** 63n)), '-9223372036854775808'],
		['uint64[]', value(T.uint64.array, BigUint64Array.of(2n ** 64n - 1n)), '[18446744073709551615]'],
		['half', value(T.half, 0.0999755859375), '0.0999756'],
		['half2', value(T.half2, Uint16Array.of(0x2e66, 0xfe00)), '(0.0999756, -nan)'],
		['float', value(T.float, Math.fround(0.1)), '0.1'],
		[
			'point3f[]',
			value(T.float3.array, Float32Array.of(1, 2.5, -0, 0.1, 1e-7, 1e20)),
			'[(1, 2.5, -0), (0.1, 1e-7, 1e20)]',
		],
		['int3', value(T.int3, Int32Array.of(1, -2, 3)), '(1, -2, 3)'],
		['quatf', value(T.quatf, Float32Array.of(2, 3, 4, 1)), '(1, 2, 3, 4)'],
		['quatf[]', value(T.quatf.array, Float32Array.of(2, 3, 4, 1, 6, 7, 8, 5)), '[(1, 2, 3, 4), (5, 6, 7, 8)]'],
		['matrix2d', value(T.matrix2d, Float64Array.of(1, 2, 3, 4)), '( (1, 2), (3, 4) )'],
		['matrix2d[]', value(T.matrix2d.array, Float64Array.of(1, 2, 3, 4)), '[( (1, 2), (3, 4) )]'],
		['timecode', value(T.timecode, 1.5), '1.5'],
		['string[]', value(T.string.array, ['a', 'b"']), `["a", 'b"']`],
		['asset[]', value(T.asset.array, ['a', 'b@c', '']), '[@a@, @@@b@c@@@, @@]'],
		['double[]', value(T.double.array, new Float64Array(0)), '[]'],
		['float', value(T.valueBlock, null), 'None'],
		['float', value(T.animationBlock, null), 'AnimationBlock'],
		['Unknown::Type', value(T.unregistered, '(bogus, bogus)'), '(bogus, bogus)'],
	])('of type %s hold %o as %s', (typeName, data, expected) => {
		expect(attributeText(typeName, { default: data })).toBe(`${typeName} x = ${expected}\n`);
	});

	it.each([
		['Vec3f', 'float3'],
		['Point[]', 'point3d[]'],
		['Frame', 'frame4d'],
		['Transform', 'Transform'],
	])('of the old type %s are written as %s', (old, present) => {
		expect(attributeText(old, {})).toBe(`${present} x\n`);
	});

	it('have a declaration only when something needs it', () => {
		const samples = makeTimeSamples(Float64Array.of(-1, 0.5), [double(2), value(T.valueBlock, null)]);
		const timeSamples = value(T.timeSamples, samples);
		const statement = 'double x.timeSamples = {\n    -1: 2,\n    0.5: None,\n}\n';
		expect(attributeText('double', { timeSamples })).toBe(statement);
		expect(attributeText('double', { timeSamples, custom: value(T.bool, true) })).toBe(`custom double x\n${statement}`);
		const uniform = value(T.variability, 'uniform');
		expect(attributeText('double', { timeSamples, variability: uniform })).toBe(`uniform ${statement}`);
	});

	it('have connections as one statement for each list', () => {
		const connect = (op: ListOp<Path>) => attributeText('double', { connectionPaths: value(T.pathListOp, op) });
		expect(connect(ListOp.explicit<Path>([]))).toBe('double x.connect = None\n');
		expect(connect(ListOp.edits({ deletedItems: paths('/A.a'), appendedItems: paths('/A.b', '/A.c') }))).toBe(
			'delete double x.connect = </A.a>\nappend double x.connect = [\n    </A.b>,\n    </A.c>,\n]\n',
		);
	});

	it('have dictionaries sorted by bytes, keys quoted unless they are identifiers', () => {
		const customData = dictionary({
			zeta: value(T.float3, Float32Array.of(1, 2, 3)),
			'a b': string('c'),
			ä: value(T.int.array, new Int32Array(0)),
			'1': value(T.bool, true),
			B: dictionary({ inner: dictionary({}), flag: value(T.asset, 'x.png') }),
		});
		expect(attributeText('float', { customData })).toBe(`float x (
    customData = {
        bool "1" = 1
        dictionary B = {
            asset flag = @x.png@
            dictionary inner = {
            }
        }
        string "a b" = "c"
        float3 zeta = (1, 2, 3)
        int[] "ä" = []
    }
)
`);
	});

	it('keep metadata that nobody registered as it was written', () => {
		const fields = {
			a: value(T.unregistered, '"text"'),
			b: value(T.unregistered, new Map([['n', value(T.int, 1)]]) as Dictionary),
			c: value(T.unregistered, ListOp.edits({ prependedItems: ['[1, 2]'], deletedItems: ['"x"'] })),
			displayUnit: token('cm'),
			documentation: string('doc'),
		};
		expect(attributeText('float', fields)).toBe(`float x (
    a = "text"
    b = {
        int n = 1
    }
    delete c = ["x"]
    prepend c = [[1, 2]]
    displayUnit = cm
    doc = "doc"
)
`);
	});
});

describe('values that text cannot hold', () => {
	it('are left out and reported', () => {
		const raw = value(T.rawCrate, { representation: 1n, bytes: new Uint8Array(0) });
		const samples = makeTimeSamples(Float64Array.of(1, 2), [raw, double(3)]);
		const { data } = new Builder().prim('/A', { odd: raw }).attribute('/A.x', 'double', {
			default: raw,
			customData: dictionary({ entry: raw, other: double(1) }),
			timeSamples: value(T.timeSamples, samples),
		});
		const report = new Report();
		const text = new TextDecoder().decode(writeUsda(data, { report, file: 'a.usda' }));
		expect(text).toBe(`#usda 1.0

def "A" (
)
{
    double x (
        customData = {
            double other = 1
        }
    )
    double x.timeSamples = {
        2: 3,
    }
}

`);
		const found = report.toArray();
		expect(found.map(({ code, prim }) => [code, prim])).toEqual([
			['USDA070', undefined],
			['USDA070', '/A'],
			['USDA070', '/A.x'],
			['USDA070', '/A.x'],
		]);
		expect(found[1]!.message).toBe("'odd' holds a value of type rawCrate, which text has no form for; it was left out");
	});
});

describe('relationships', () => {
	const text = (fields: Fields) => {
		const whole = new Builder().prim('/A').relationship('/A.r', fields).text();
		return whole.slice(whole.indexOf('{\n') + 2, whole.lastIndexOf('}\n\n')).replace(/^ {4}/gm, '');
	};
	const custom = value(T.bool, true);
	const targets = (op: ListOp<Path>): Fields => ({ targetPaths: value(T.pathListOp, op) });

	it.each<[string, Fields, string]>([
		['no targets', {}, 'rel r\n'],
		['variability varying', { variability: value(T.variability, 'varying') }, 'varying rel r\n'],
		['an empty list', targets(ListOp.explicit<Path>([])), 'rel r = None\n'],
		['one target', targets(ListOp.explicit(paths('/B'))), 'rel r = </B>\n'],
		[
			'two targets',
			{ ...targets(ListOp.explicit(paths('/B', '/C.d'))), custom },
			'custom rel r = [\n    </B>,\n    </C.d>,\n]\n',
		],
		[
			'edits',
			{ ...targets(ListOp.edits({ prependedItems: paths('/B') })), custom },
			'custom rel r\nprepend rel r = </B>\n',
		],
		['an edit without effect', targets(ListOp.edits<Path>({})), 'rel r\n'],
		[
			'metadata',
			{ ...targets(ListOp.edits({ orderedItems: paths('/B') })), comment: string('c') },
			'rel r (\n    "c"\n)\nreorder rel r = </B>\n',
		],
	])('with %s', (_, fields, expected) => {
		expect(text(fields)).toBe(expected);
	});
});
