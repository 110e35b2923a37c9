import { Report } from '@manyworlds/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Layer, makeValue, Path, readUsda, Stage, type StageOptions, T, type Value, writeUsda } from '../src/index.ts';
import { isAnyPrim, makePayload, makeReference, valueToJson } from '../src/internal.ts';

/** Layers in memory, named by their identifiers. */
function storeOf(layers: readonly Layer[]): NonNullable<StageOptions['store']> {
	const byName = new Map(layers.map((layer) => [layer.identifier, layer]));
	return {
		identify: (assetPath) => ({ identifier: assetPath.replace(/^\.\//, '') }),
		layer: (identifier) => byName.get(identifier) ?? { failure: 'there is no such layer' },
		exists: (identifier) => byName.has(identifier),
	};
}

function layerOf(identifier: string, text: string): Layer {
	const report = new Report();
	const data = readUsda(new TextEncoder().encode(text), { file: identifier, report });
	if (report.toArray().length > 0) throw new Error(report.toArray()[0]!.message);
	return new Layer(identifier, data);
}

const ROOT = `#usda 1.0
(
    subLayers = [@./sub.usda@]
)
def Xform "World" {
    def "A" (prepend references = @./asset.usda@</Model>) {
        double size = 2
    }
    def "B" (
        instanceable = true
        prepend references = @./asset.usda@</Model>
    ) {
    }
    def "C" (
        instanceable = true
        prepend references = @./asset.usda@</Model>
    ) {
    }
}
class "_class" {
    double radius = 3
}
`;
const SUB = `#usda 1.0
over "World" {
    over "A" {
        double size = 7
        custom double extra = 1
    }
}
`;
const ASSET = `#usda 1.0
def Scope "Model" (
    variants = {
        string look = "red"
    }
    prepend variantSets = "look"
) {
    def Sphere "Geo" {
        rel friend = </Model/Leaf>
    }
    def "Leaf" (payload = @./asset.usda@</Extra>) {
    }
    variantSet "look" = {
        "red" {
            over "Geo" {
                double radius = 4
            }
        }
        "blue" {
            over "Geo" {
                double radius = 5
            }
            def "Blue" {
            }
        }
    }
}
def "Extra" {
    def "Inside" {
        int count = 3
    }
}
`;

function openLayers(layers: readonly Layer[]): Stage {
	return Stage.open(layers[0]!, { store: storeOf(layers) });
}

function freshLayers(): Layer[] {
	return [layerOf('root.usda', ROOT), layerOf('sub.usda', SUB), layerOf('asset.usda', ASSET)];
}

/** What a stage composes to, as text. */
function describeStage(stage: Stage): string[] {
	const lines: string[] = [];
	for (const prim of stage.traverse({ predicate: isAnyPrim, instanceProxies: true })) {
		const flags = [prim.isActive, prim.isLoaded, prim.isModel, prim.isDefined, prim.isAbstract, prim.isInstance];
		lines.push(`${prim.path} ${prim.typeName} ${prim.kind} ${flags} ${prim.appliedSchemas}`);
		lines.push(`  ${prim.specs().map(({ layer, path }) => `${layer.identifier}${path}`)}`);
		for (const name of prim.authoredMetadata()) {
			lines.push(`  ${name} ${JSON.stringify(valueToJson(prim.metadata(name)!))}`);
		}
		for (const property of prim.authoredProperties()) {
			lines.push(`  ${property.name} ${property.specs().map(({ layer, path }) => `${layer.identifier}${path}`)}`);
			const values = 'get' in property ? [undefined, 1.5].map((time) => stage.attribute(property.path)!.get(time)) : [];
			lines.push(`  ${values.map((value) => (value === undefined ? 'none' : JSON.stringify(valueToJson(value))))}`);
			const relationship = stage.relationship(property.path);
			if (relationship !== undefined) lines.push(`  ${relationship.targets()}`);
		}
	}
	lines.push(
		`errors ${stage
			.errors()
			.map(({ kind, root }) => `${kind}${root.path}`)
			.sort()}`,
	);
	lines.push(`prototypes ${stage.prototypes().length}`);
	return lines;
}

function reopened(layers: readonly Layer[]): Stage {
	return openLayers(layers.map((layer) => layerOf(layer.identifier, new TextDecoder().decode(writeUsda(layer.data)))));
}

const PRIMS = [
	'/World',
	'/World/A',
	'/World/B',
	'/World/A/Geo',
	'/World/A/Leaf',
	'/World/New',
	'/World/A/New',
	'/_class',
];
const number = (value: number): Value => makeValue(T.double, value) as Value;

type Edit = (stage: Stage, path: string, choice: number) => void;

const EDITS: readonly Edit[] = [
	({ editor }, path) => editor.definePrim(path, 'Xform'),
	({ editor }, path) => editor.overridePrim(path),
	({ editor }, path) => editor.removePrim(path),
	({ editor }, path, choice) => {
		editor.createAttribute(`${path}.size`, 'double');
		editor.setValue(`${path}.size`, number(choice));
	},
	({ editor }, path, choice) => {
		editor.createAttribute(`${path}.size`, 'double');
		editor.setValue(`${path}.size`, number(choice), choice % 3);
	},
	({ editor }, path) => {
		editor.createAttribute(`${path}.size`, 'double');
		editor.blockValue(`${path}.size`);
	},
	({ editor }, path) => editor.removeProperty(`${path}.size`),
	({ editor }, path, choice) => editor.setActive(path, choice % 2 === 0),
	({ editor }, path, choice) => editor.setInstanceable(path, choice % 2 === 0),
	({ editor }, path, choice) => editor.setKind(path, ['component', 'group', 'assembly'][choice % 3]!),
	({ editor }, path, choice) => editor.setTypeName(path, ['Xform', 'Sphere', 'Cube'][choice % 3]!),
	({ editor }, path, choice) => {
		const target = Path.parse(['/Model', '/Extra'][choice % 2]!)!;
		editor.references(path).add(makeReference('./asset.usda', target));
	},
	({ editor }, path) => editor.references(path).remove(makeReference('./asset.usda', Path.parse('/Model')!)),
	({ editor }, path) => editor.references(path).set([]),
	({ editor }, path) => editor.payloads(path).add(makePayload('./asset.usda', Path.parse('/Extra')!)),
	({ editor }, path) => editor.inherits(path).add(Path.parse('/_class')!),
	({ editor }, path) => editor.specializes(path).add(Path.parse('/_class')!),
	({ editor }, path, choice) => editor.selectVariant(path, 'look', ['red', 'blue', undefined][choice % 3]),
	({ editor }, path, choice) => editor.addVariant(path, 'look', ['red', 'blue', 'green'][choice % 3]!),
	({ editor }, path) => editor.applySchema(path, 'PhysicsMassAPI'),
	({ editor }, path) => editor.removeSchema(path, 'PhysicsMassAPI'),
	({ editor }, path, choice) => editor.setMetadata(path, 'customData', number(choice), 'a:b'),
	({ editor }, path) => {
		editor.createRelationship(`${path}.friend`);
		editor.targets(`${path}.friend`).add(Path.parse('/World/A/Leaf')!);
	},
	(stage, path, choice) => (choice % 2 === 0 ? stage.unload(path) : stage.load(path)),
];

describe('editing a stage', () => {
	it('leaves it equal to a fresh stage of the edited layers after each of many random edits', () => {
		const step = fc.record({
			edit: fc.nat(EDITS.length - 2),
			path: fc.constantFrom(...PRIMS),
			layer: fc.nat(2),
			choice: fc.nat(100),
		});
		let edits = 0;
		let changed = 0;
		fc.assert(
			fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
				const layers = freshLayers();
				const stage = openLayers(layers);
				stage.onChange(() => changed++);
				for (const { edit, path, layer, choice } of steps) {
					const target = layer === 2 ? layers[0]! : layers[layer]!;
					stage.editTarget = stage.editTarget.withLayer(target);
					try {
						EDITS[edit]!(stage, path, choice);
					} catch (error) {
						// edits of prims inside prototypes, and of properties of another type, are refused
						if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
					}
					edits++;
					expect(describeStage(stage)).toEqual(describeStage(reopened(layers)));
				}
			}),
			{ seed: 7, numRuns: 160 },
		);
		expect(edits).toBeGreaterThan(1000);
		expect(changed).toBeGreaterThan(500);
	});

	it('loads and unloads payloads like a stage opened with the same rules', () => {
		const layers = freshLayers();
		const stage = openLayers(layers);
		expect(stage.prim('/World/A/Leaf/Inside')).toBeDefined();
		stage.unload('/World/A');
		expect(stage.prim('/World/A/Leaf/Inside')).toBeUndefined();
		expect(stage.prim('/World/B/Leaf/Inside')).toBeDefined();
		stage.load('/World/A/Leaf');
		expect(describeStage(stage)).toEqual(describeStage(openLayers(layers)));
	});

	it('rebuilds no index for the edit of a property', () => {
		const layers = freshLayers();
		const stage = openLayers(layers);
		const size = stage.attribute('/World/A.size')!;
		const before = stage.counts.indexes;
		stage.editor.setValue('/World/A.size', number(11));
		expect(size.get()).toEqual(number(11));
		stage.editor.setMetadata('/World/A.size', 'documentation', makeValue(T.string, 'how large') as Value);
		stage.editor.setKind('/World/A', 'component');
		expect(stage.counts.indexes).toBe(before);
	});

	it('rebuilds only the subtree that an arc changes', () => {
		const stage = openLayers(freshLayers());
		const before = stage.counts.indexes;
		stage.editor.references('/World/A/Leaf').add(makeReference('./asset.usda', Path.parse('/Extra')!));
		expect(stage.counts.indexes - before).toBeLessThanOrEqual(2);
	});

	it('keeps handles valid while their prims exist', () => {
		const stage = openLayers(freshLayers());
		const geo = stage.prim('/World/A/Geo')!;
		stage.editor.selectVariant('/World/A', 'look', 'blue');
		expect(geo.attribute('radius').get()).toEqual(number(5));
		stage.editor.setActive('/World/A', false);
		expect(geo.isValid).toBe(false);
		expect(() => geo.typeName).toThrow(TypeError);
	});

	it('refuses values of another type and edits inside prototypes', () => {
		const stage = openLayers(freshLayers());
		expect(() => stage.editor.setValue('/World/A.size', makeValue(T.string, 'x') as Value)).toThrow(TypeError);
		expect(() => stage.editor.setValue('/World/B/Geo.radius', number(1))).toThrow(TypeError);
	});
});
