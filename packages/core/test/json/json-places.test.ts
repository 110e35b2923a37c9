import { findJsonFault, JsonPlaces } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const TEXT = `{
  "é": { "list": [1, [true], "x"] },
  "empty": {},
  "a": 1, "a": 2
}`;

/** The text at a place. */
function at(places: JsonPlaces, path: readonly (string | number)[], part?: 'key' | 'value'): string {
	const { range, excerpt } = places.locate(path, part);
	const { line, column } = range!.start;
	const end = excerpt!.caretStart + excerpt!.caretLength;
	return `${line}:${column} ${[...excerpt!.text].slice(excerpt!.caretStart, end).join('')}`;
}

describe('places of JSON values', () => {
	it('are found by keys and numbers', () => {
		const places = new JsonPlaces(TEXT, 'a.json');
		expect(at(places, ['é', 'list', 0])).toBe('2:19 1');
		expect(at(places, ['é', 'list', 1, 0])).toBe('2:23 true');
		expect(at(places, ['é', 'list', 2])).toBe('2:30 "x"');
		expect(at(places, ['é'], 'key')).toBe('2:3 "é"');
		expect(at(places, ['empty'])).toBe('3:12 {}');
		expect(places.locate([]).file).toBe('a.json');
	});

	it('are the nearest ones where nothing is written', () => {
		const places = new JsonPlaces(TEXT, 'a.json');
		expect(at(places, ['é', 'none', 3])).toBe('2:3 "é"');
		expect(at(places, [])).toBe('1:1 {');
	});

	it('know keys that are given twice', () => {
		const places = new JsonPlaces('{"x": [{"b": 1, "b": 2}], "\\u0078": 3}', 'a.json');
		expect(places.repeatedKeys.map(({ path, place }) => [path.join('.'), place.range!.start.column])).toEqual([
			['x.0.b', 17],
			['x', 27],
		]);
	});

	it('know the first fault', () => {
		const places = new JsonPlaces('{\n  "a": 1,\n}', 'a.json');
		expect(places.fault?.message).toBe("found '}', expected a key in double quotes");
		expect(at(places, ['a'])).toBe('3:1 }');
		expect(findJsonFault('[1, 2]')).toBeUndefined();
	});

	it('lead to the text of every value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.boolean(), (value, isIndented) => {
				const text = JSON.stringify(value, null, isIndented ? 1 : 0);
				const places = new JsonPlaces(text, 'a.json');
				const bytes = new TextEncoder().encode(text);
				const visit = (part: unknown, path: readonly (string | number)[]): void => {
					const { start, end } = places.locate(path).range!;
					if (typeof part !== 'object' || part === null)
						expect(new TextDecoder().decode(bytes.subarray(start.offset, end.offset))).toBe(JSON.stringify(part));
					else if (Array.isArray(part)) part.forEach((item, i) => void visit(item, [...path, i]));
					else for (const [key, item] of Object.entries(part)) visit(item, [...path, key]);
				};
				visit(value, []);
			}),
		);
	});
});
