import { describe, expect, it } from 'vitest';
import { BBoxCache, makeValue, Path, T, type Value, XformCache } from '../src/index.ts';
import { followStage, MaterialBindings } from '../src/internal.ts';
import { openScene } from './stage-scene.ts';
import { primAt } from './views-stage.ts';

const SCENE = {
	root: `def Xform "A" (prepend apiSchemas = ["MaterialBindingAPI"])
{
    double3 xformOp:translate = (1, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    rel material:binding = </Red>

    def Xform "C" (payload = @./extra@</Extra>)
    {
        def Cube "Small"
        {
            double size = 2
        }
    }
}
def Material "Red"
{
}
def Material "Blue"
{
}
`,
	extra: 'def "Extra"\n{\n    def Cube "Big"\n    {\n        double size = 10\n    }\n}\n',
};

describe('caches of a stage', () => {
	it('follow edits, loads and mutings once they are told to', () => {
		const stage = openScene(SCENE);
		const transforms = new XformCache();
		const boxes = new BBoxCache();
		const bindings = new MaterialBindings();
		const stop = followStage(stage, transforms, boxes, bindings);
		const cube = () => primAt(stage, '/A/C');
		const x = () => transforms.worldTransform(cube())[12];
		const max = () => boxes.worldBound(cube()).aligned().max[0];
		const material = () => bindings.boundMaterial(cube())?.material.path.toString();
		expect([x(), max(), material()]).toEqual([1, 6, '/Red']);

		const { editor } = stage;
		editor.setValue('/A.xformOp:translate', makeValue(T.double3, Float64Array.of(5, 0, 0)) as Value);
		expect([x(), max()]).toEqual([5, 10]);
		editor.targets('/A.material:binding').set([Path.parse('/Blue')!]);
		expect(material()).toBe('/Blue');
		stage.unload('/A/C');
		expect(max()).toBe(6);
		stage.load('/A/C');
		expect(max()).toBe(10);
		stage.muteLayer('extra');
		expect(max()).toBe(6);

		stop();
		stage.unmuteLayer('extra');
		expect(max()).toBe(6);
		boxes.clear();
		expect(max()).toBe(10);
	});
});
