import { describe, expect, it } from 'vitest';
import { Path } from '../src/sdf/path.ts';
import { collectionMembership } from '../src/views/collection.ts';
import { boundMaterial, MaterialBindings } from '../src/views/material-binding.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

const LOOKS = `def Scope "Looks"
{
	def Material "red"
	{
	}
	def Material "green"
	{
	}
	def Material "blue"
	{
	}
}
`;

function bound(body: string, path: string, purpose = ''): string | undefined {
	const stage = stageOf(LOOKS + body);
	return boundMaterial(primAt(stage, path), purpose)?.material.name;
}

const API = '( prepend apiSchemas = ["MaterialBindingAPI"] )';

describe('direct bindings', () => {
	const nested = (outer: string, inner: string) => `def Xform "A" ${API}
{
	${outer}
	def Mesh "B" ${API}
	{
		${inner}
	}
}`;

	it('come down, and the nearest wins', () => {
		expect(bound(nested('rel material:binding = </Looks/red>', ''), '/A/B')).toBe('red');
		expect(bound(nested('rel material:binding = </Looks/red>', 'rel material:binding = </Looks/blue>'), '/A/B')).toBe(
			'blue',
		);
	});

	it('win over those below when they are stronger', () => {
		const strong = 'rel material:binding = </Looks/red> ( bindMaterialAs = "strongerThanDescendants" )';
		expect(bound(nested(strong, 'rel material:binding = </Looks/blue>'), '/A/B')).toBe('red');
	});

	it('of a purpose win over those of all purposes, wherever they are', () => {
		const body = nested('rel material:binding:preview = </Looks/red>', 'rel material:binding = </Looks/blue>');
		expect(bound(body, '/A/B', 'preview')).toBe('red');
		expect(bound(body, '/A/B', 'full')).toBe('blue');
		expect(bound(body, '/A/B')).toBe('blue');
	});

	it('to what is not a material are reported', () => {
		const stage = stageOf(`${LOOKS}def Mesh "A" ${API}\n{\n	rel material:binding = </Looks>\n}`);
		expect(boundMaterial(primAt(stage, '/A'))).toBeUndefined();
		expect(reported(stage)).toEqual(['VIEW003 /A.material:binding']);
	});

	it('are followed through relationships', () => {
		const body = `def Mesh "A" ${API}
{
	rel material:binding = </A.chosen>
	rel chosen = </Looks/green>
}`;
		expect(bound(body, '/A')).toBe('green');
	});
});

describe('collection bindings', () => {
	const scene = (rule: string, own: string) => `def Xform "A" (
	prepend apiSchemas = ["MaterialBindingAPI", "CollectionAPI:set"]
)
{
	uniform token collection:set:expansionRule = "${rule}"
	rel collection:set:includes = </A/B>
	rel collection:set:excludes = </A/B/out>
	rel material:binding = </Looks/green>
	rel material:binding:collection:set = [</A.collection:set>, </Looks/red>]
	def Xform "B" ${API}
	{
		${own}
		def Mesh "in"
		{
		}
		def Mesh "out"
		{
		}
	}
}`;

	it('win over the direct binding of their prim for what they hold', () => {
		const stage = stageOf(LOOKS + scene('expandPrims', ''));
		const bindings = new MaterialBindings();
		const name = (path: string) => bindings.boundMaterial(primAt(stage, path))?.material.name;
		expect([name('/A/B'), name('/A/B/in'), name('/A/B/out'), name('/A')]).toEqual(['red', 'red', 'green', 'green']);
	});

	it('that hold explicit members only leave the rest', () => {
		expect(bound(scene('explicitOnly', ''), '/A/B')).toBe('red');
		expect(bound(scene('explicitOnly', ''), '/A/B/in')).toBe('green');
	});

	it('give way to bindings below', () => {
		expect(bound(scene('expandPrims', 'rel material:binding = </Looks/blue>'), '/A/B/in')).toBe('blue');
	});
});

describe('collections', () => {
	it('include each other, and themselves only once', () => {
		const stage = stageOf(`def "A" ( prepend apiSchemas = ["CollectionAPI:x", "CollectionAPI:y"] )
{
	rel collection:x:includes = [</A/one>, </A.collection:y>]
	rel collection:y:includes = [</A/two>, </A.collection:x>]
	rel collection:y:excludes = </A/two/not>
}`);
		const membership = collectionMembership(primAt(stage, '/A'), 'x');
		const has = (path: string) => membership.includes(Path.parse(path)!);
		expect(['/A/one', '/A/two/deep', '/A/two/not/deep', '/A', '/A/one.x'].map(has)).toEqual([
			true,
			true,
			false,
			false,
			false,
		]);
		expect(reported(stage)).toEqual(['VIEW003 /A.collection:y']);
	});
});
