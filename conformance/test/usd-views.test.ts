import { Layer, readUsda, Stage } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { compareViews } from '../src/compare-views.ts';
import type { Json, JsonObject } from '../src/json.ts';
import { dumpViews } from '../src/views-dump.ts';

const SCENE = `#usda 1.0
def PhysicsScene "Scene"
{
}
def Xform "Body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "MaterialBindingAPI"])
{
    double3 xformOp:translate = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    rel material:binding = </Red>
    float[] primvars:heat = [1, 2]

    def Cube "Box" (prepend apiSchemas = ["PhysicsCollisionAPI"])
    {
        double size = 2
    }
}
def PhysicsFixedJoint "Weld"
{
    rel physics:body1 = </Body>
}
def Material "Red"
{
}
`;

function dump(): JsonObject {
	const stage = Stage.open(new Layer('scene.usda', readUsda(new TextEncoder().encode(SCENE))));
	return JSON.parse(JSON.stringify(dumpViews(stage, [1.5]))) as JsonObject;
}

/** Every path to a value without parts. */
function leaves(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
	if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item as Json, [...path, i]));
	if (value !== null && typeof value === 'object') {
		return Object.entries(value).flatMap(([name, item]) => leaves(item as Json, [...path, name]));
	}
	return [path];
}

function corrupt(root: JsonObject, path: readonly (string | number)[]): void {
	let at = root as unknown as Record<string | number, unknown>;
	for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
	const last = path.at(-1)!;
	const value = at[last];
	at[last] =
		typeof value === 'number'
			? value + 0.001 + 0.001 * Math.abs(value)
			: typeof value === 'boolean'
				? !value
				: `${value as string}x`;
}

describe('views', () => {
	it('have everything that the scene has', () => {
		const { prims, physics } = dump() as { prims: JsonObject; physics: JsonObject };
		expect(prims['/Body/Box']).toMatchObject({
			bound: [0, 1, 2, 2, 3, 4],
			materials: ['/Red', '/Red', '/Red', '/Red'],
			visibility: 'inherited',
			primvars: { heat: { attribute: '/Body.primvars:heat', count: 2 } },
		});
		expect(Object.keys(physics)).toEqual(['Scene', 'CubeShape', 'RigidBody', 'FixedJoint']);
	});

	it('differ from an answer in which any value is another one', () => {
		expect(compareViews(dump(), dump()).lines).toEqual([]);
		const paths = leaves(dump()).filter(([top]) => top === 'prims' || top === 'physics');
		expect(paths.length).toBeGreaterThan(150);
		const right = dump();
		for (const path of paths) {
			const changed = structuredClone(right);
			corrupt(changed, path);
			expect(compareViews(right, changed).lines, path.join('/')).not.toEqual([]);
		}
	});

	it('differ from an answer that has more or less', () => {
		for (const [from, path] of [
			['prims', '/Body'],
			['physics', 'RigidBody'],
		] as const) {
			const less = dump();
			delete (less[from] as Record<string, unknown>)[path];
			expect(compareViews(dump(), less).lines).not.toEqual([]);
			expect(compareViews(less, dump()).lines).not.toEqual([]);
		}
		expect(() => compareViews(dump(), { ...dump(), version: 2 })).toThrow(TypeError);
	});
});
