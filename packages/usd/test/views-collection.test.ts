import { describe, expect, it } from 'vitest';
import { Path } from '../src/sdf/path.ts';
import { collectionMembership } from '../src/views/collection.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

const PATHS = ['/A', '/A/b1', '/A/b2', '/A/b2/c', '/A/b2/c/b3', '/B', '/B/b1'];

function tree(properties: string): string {
	return `def "A" ( prepend apiSchemas = ["CollectionAPI:x", "CollectionAPI:y"] )
{
	${properties}
	def Xform "b1"
	{
	}
	def Xform "b2" ( kind = "component" )
	{
		def "c"
		{
			def Xform "b3"
			{
			}
		}
	}
}
def "B"
{
	def Scope "b1"
	{
	}
}`;
}

function members(properties: string): string[] {
	const membership = collectionMembership(primAt(stageOf(tree(properties)), '/A'), 'x');
	return PATHS.filter((path) => membership.includes(Path.parse(path)!));
}

const expression = (text: string, name = 'x') =>
	`uniform pathExpression collection:${name}:membershipExpression = "${text}"`;

describe('collections by expression', () => {
	it.each([
		['/A/b*', ['/A/b1', '/A/b2']],
		['//b*', ['/A/b1', '/A/b2', '/A/b2/c/b3', '/B/b1']],
		['/A//', ['/A', '/A/b1', '/A/b2', '/A/b2/c', '/A/b2/c/b3']],
		['/A//b*', ['/A/b1', '/A/b2', '/A/b2/c/b3']],
		['/A/b? /B', ['/A/b1', '/A/b2', '/B']],
		['//', PATHS],
		['/A// - /A/b2//', ['/A', '/A/b1']],
		['/A// & //b*', ['/A/b1', '/A/b2', '/A/b2/c/b3']],
		['~/A//', ['/B', '/B/b1']],
		['b1', ['/A/b1']],
		['.//', ['/A', '/A/b1', '/A/b2', '/A/b2/c', '/A/b2/c/b3']],
		['//b*{isa:Xform}', ['/A/b1', '/A/b2', '/A/b2/c/b3']],
		['//{kind:component}', ['/A/b2']],
		['//{isa:Xform and not kind:component}', ['/A/b1', '/A/b2/c/b3']],
		['//b[12]', ['/A/b1', '/A/b2', '/B/b1']],
		['/A/b1.*', []],
	])('%s', (text, expected) => {
		expect(members(expression(text))).toEqual(expected);
	});

	it('refer to each other, and not to themselves', () => {
		expect(members(`${expression('%:y + /B')}\n${expression('/A/b1', 'y')}`)).toEqual(['/A/b1', '/B']);
		const stage = stageOf(tree(`${expression('%/A:y + /B')}\n${expression('%/A:x + /A/b1', 'y')}`));
		const membership = collectionMembership(primAt(stage, '/A'), 'x');
		expect(PATHS.filter((path) => membership.includes(Path.parse(path)!))).toEqual(['/A/b1', '/B']);
		expect(reported(stage)).toEqual(['VIEW003 /A.collection:y']);
	});

	it('give way to relationships unless the mode says otherwise', () => {
		const both = `${expression('/A')}\nrel collection:x:includes = </B>`;
		expect(members(both)).toEqual(['/B', '/B/b1']);
		expect(members(`${both}\nuniform token collection:x:mode = "expression"`)).toEqual(['/A']);
		expect(members(`${expression('/A')}\nuniform token collection:x:mode = "relationship"`)).toEqual([]);
	});
});
