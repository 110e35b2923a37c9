import {
	type Layer,
	MemoryStore,
	makeValue,
	movePrims,
	Path,
	patchUsda,
	readUsda,
	Stage,
	T,
	writeUsda,
} from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';

const TEXT = `#usda 1.0
( # about the file
    defaultPrim = "Arm" # the arm
)

# the arm itself
def Xform "Arm"
{
    # carries the hand
    def Xform "wrist"
    {
        double mass = 2 # kg, weighed
    }

    # three fingers
    def Xform "hand" # bought
    {
        # newtons
        float grip = 40
    }

    # moves them
    def Scope "drive"
    {
        rel drives = </Arm/hand> # the whole hand
    }
}
`;

function open(text: string): { bytes: Uint8Array; layer: Layer; stage: Stage } {
	const store = new MemoryStore({ 'arm.usda': text }, { folder: '/asset' });
	const layer = store.open('arm.usda') as Layer;
	return { bytes: new TextEncoder().encode(text), layer, stage: Stage.open(layer, { store }) };
}

/** The comments of a text, in any order. */
function comments(text: string): string[] {
	return [...text.matchAll(/# .*/g)].map(([comment]) => comment).sort();
}

describe('a layer that is edited and patched', () => {
	it('keeps every comment when values change', () => {
		const { bytes, layer } = open(TEXT);
		layer.setField('/Arm/wrist.mass', 'default', makeValue(T.double, 2.5));
		const { bytes: patched, extent } = patchUsda(bytes, layer.data);
		expect(new TextDecoder().decode(patched)).toBe(TEXT.replace('mass = 2 #', 'mass = 2.5 #'));
		expect(extent).toBe('statements');
		expect(comments(new TextDecoder().decode(writeUsda(layer.data)))).toEqual([]);
	});

	it('keeps every comment when a prim moves, and paths follow it', () => {
		const { bytes, layer, stage } = open(TEXT);
		const [from, to] = [Path.parse('/Arm/hand')!, Path.parse('/Arm/wrist/hand')!];
		const { moved, kept, specMoves } = movePrims(stage, [{ from, to }]);
		expect([[...moved], [...kept]]).toEqual([[[from, to]], []]);
		const { bytes: patched } = patchUsda(bytes, layer.data, { moves: specMoves.get(layer)! });
		const text = new TextDecoder().decode(patched);
		expect(comments(text)).toEqual(comments(TEXT));
		expect(text).toContain(
			'        # three fingers\n        def Xform "hand" # bought\n        {\n            # newtons\n',
		);
		expect(text).toContain('rel drives = </Arm/wrist/hand> # the whole hand');
		expect(new TextDecoder().decode(writeUsda(readUsda(patched)))).toBe(
			new TextDecoder().decode(writeUsda(layer.data)),
		);
	});

	it('stays as it is where a prim cannot move, with the reason', () => {
		const { layer, stage } = open(TEXT);
		const before = writeUsda(layer.data);
		const wish = (from: string, to: string): string | undefined => {
			const path = Path.parse(from)!;
			return movePrims(stage, [{ from: path, to: Path.parse(to)! }]).kept.get(path);
		};
		expect(wish('/Arm/none', '/Arm/wrist/none')).toBe('there is no prim at </Arm/none>');
		expect(wish('/Arm/hand', '/Arm/drive')).toBe('</Arm/drive> is taken');
		const path = Path.parse('/Arm/hand')!;
		const { kept } = movePrims(stage, [{ from: path, to: Path.parse('/Arm/wrist/hand')! }], {
			isEditable: () => false,
		});
		expect(kept.get(path)).toBe('/asset/arm.usda cannot be changed from here');
		expect(writeUsda(layer.data)).toEqual(before);
	});
});
