import { describe, expect, it } from 'vitest';
import {
	flattenStage,
	type Layer,
	LoadRules,
	Path,
	PopulationMask,
	Stage,
	type TraverseOptions,
	writeUsda,
} from '../src/index.ts';
import { isAnyPrim } from '../src/internal.ts';
import { openScene, sceneLayers, sceneStore } from './stage-scene.ts';

const SCENE = {
	root: `def Xform "World"
{
    def "A" (
        instanceable = true
        references = @./robot@</Robot>
    )
    {
    }
    def "B" (
        instanceable = true
        references = @./robot@</Robot>
    )
    {
        over "Arm"
        {
            double ignored = 1
        }
    }
    def "C" (
        references = @./robot@</Robot>
    )
    {
    }
    over "Undefined"
    {
    }
    def "Off" (
        active = false
    )
    {
        def "Below"
        {
        }
    }
}
class "_class"
{
}
`,
	robot: `def Xform "Robot" (
    payload = @./parts@</Parts>
)
{
    def Xform "Arm"
    {
        rel body = </Robot/Hand>
    }
    def "Hand"
    {
    }
}
`,
	parts: 'def "Parts"\n{\n    def "Screw"\n    {\n    }\n}\n',
};

function paths(stage: Stage, options: TraverseOptions = {}): string[] {
	return Array.from(stage.traverse(options), (prim) => prim.path.toString());
}

describe('the namespace of a stage', () => {
	it('traverses the usual prims, all prims, or proxies below instances', () => {
		const stage = openScene(SCENE);
		expect(paths(stage)).toEqual([
			'/World',
			'/World/A',
			'/World/B',
			'/World/C',
			'/World/C/Screw',
			'/World/C/Arm',
			'/World/C/Hand',
		]);
		expect(paths(stage, { predicate: isAnyPrim })).toContain('/World/Off');
		expect(paths(stage, { predicate: isAnyPrim })).not.toContain('/World/Off/Below');
		expect(paths(stage, { instanceProxies: true })).toContain('/World/B/Arm');
	});

	it('shares a prototype between instances and ignores local opinions below them', () => {
		const stage = openScene(SCENE);
		expect(stage.prototypes()).toHaveLength(1);
		const arm = stage.prim('/World/B/Arm')!;
		expect(arm.isInstanceProxy).toBe(true);
		expect(arm.primInPrototype?.path.toString()).toBe('/__Prototype_1/Arm');
		expect(arm.authoredPropertyNames()).toEqual(['body']);
		expect(arm.relationship('body').targets().map(String)).toEqual(['/World/B/Hand']);
		expect(arm.parent?.path.toString()).toBe('/World/B');
	});

	it('tells instances with other load states apart', () => {
		const load = LoadRules.of([[Path.parse('/World/A')!, 'none']]);
		const stage = openScene(SCENE, { load });
		expect(stage.prototypes()).toHaveLength(2);
		expect(stage.prim('/World/A/Screw')).toBeUndefined();
		expect(stage.prim('/World/B/Screw')).toBeDefined();
		expect([stage.prim('/World/A')!.isLoaded, stage.prim('/World/A')!.hasPayload]).toEqual([false, true]);
	});

	it('has only what a mask names, with all above and below', () => {
		const mask = PopulationMask.of([Path.parse('/World/C/Arm')!]);
		expect(paths(openScene(SCENE, { mask }))).toEqual(['/World', '/World/C', '/World/C/Arm']);
	});

	it('is the same whether layers come at once or later', async () => {
		const layers = sceneLayers(SCENE);
		const loaded = new Map<string, Layer>();
		const asked: string[] = [];
		const store = {
			...sceneStore(layers),
			layer: (identifier: string): Layer | undefined => loaded.get(identifier),
			load: async (identifier: string): Promise<void> => {
				asked.push(identifier);
				loaded.set(identifier, layers.get(identifier)!);
			},
		};
		const stage = await Stage.openAsync(layers.get('root')!, { store });
		const text = (of: Stage): string => new TextDecoder().decode(writeUsda(flattenStage(of).data));
		expect(text(stage)).toBe(text(openScene(SCENE)));
		expect(asked).toEqual(['robot', 'parts']);
		expect(stage.errors()).toEqual([]);
	});

	it('goes on without layers that cannot be had, and says so', () => {
		const stage = openScene({ root: 'def "A" (\n    references = @./gone@</B>\n)\n{\n}\n' });
		expect(stage.prim('/A')?.isDefined).toBe(true);
		expect(stage.errors().map(({ kind }) => kind)).toEqual(['InvalidAssetPath']);
	});

	it('flattens to one layer that composes to the same', () => {
		const stage = openScene(SCENE);
		const flat = Stage.open(flattenStage(stage));
		const everything = { predicate: isAnyPrim, instanceProxies: true };
		const kept = paths(stage, everything).filter((path) => path !== '/World/Off');
		const own = paths(flat, everything).filter((path) => !path.startsWith('/Flattened_Prototype_'));
		expect(own).toEqual(kept);
		expect(flat.prim('/World/B/Arm')!.relationship('body').targets().map(String)).toEqual(['/World/B/Hand']);
	});
});
