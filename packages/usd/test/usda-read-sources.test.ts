import { describe, expect, it } from 'vitest';
import { Path } from '../src/sdf/path.ts';
import { readText } from './read-text.ts';

const BODY = [
	'(',
	'    doc = "layer"',
	')',
	'def Xform "A" (',
	'    prepend apiSchemas = ["S"]',
	')',
	'{',
	'    custom uniform double x = 1.5 (',
	'        doc = "d"',
	'    )',
	'    double y = 2',
	'    double y.timeSamples = {',
	'        1: 2,',
	'    }',
	'    variantSet "v" = {',
	'        "a" {',
	'            rel r = </A>',
	'        }',
	'    }',
	'}',
	'',
].join('\n');

const TEXT = `#usda 1.0\n${BODY}`;
const { data } = readText(BODY);

function specText(path: string): Record<string, string> {
	const s = data.specSource(Path.parse(path)!)!;
	const cut = (from: number, to: number) => (from < 0 ? '' : TEXT.slice(from, to));
	return {
		all: cut(s.start, s.end),
		metadata: cut(s.metadataOpen, s.metadataClose),
		body: s.bodyOpen < 0 ? '' : cut(s.bodyOpen, s.bodyClose + 1),
		name: cut(s.nameStart, s.nameStart + 3),
	};
}

function fieldText(path: string, field: string): readonly [string, string] | undefined {
	const s = data.fieldSource(Path.parse(path)!, field);
	return s && [TEXT.slice(s.start, s.end), TEXT.slice(s.valueStart, s.valueEnd)];
}

describe('source ranges', () => {
	it('tell where specs stand', () => {
		expect(specText('/A').all).toBe(TEXT.slice(TEXT.indexOf('def Xform'), TEXT.lastIndexOf('}') + 1));
		expect(specText('/A').metadata).toBe('(\n    prepend apiSchemas = ["S"]\n)');
		expect(specText('/A').body).toMatch(/^\{\n {4}custom[\s\S]*\n\}$/u);
		expect(specText('/A').name).toBe('"A"');
		expect(specText('/A.x').all).toBe('custom uniform double x = 1.5 (\n        doc = "d"\n    )');
		expect(specText('/A.x').metadata).toBe('(\n        doc = "d"\n    )');
		expect(specText('/A{v=}').body).toMatch(/^\{\n {8}"a"[\s\S]* {4}\}$/u);
		expect(specText('/A{v=a}').all).toMatch(/^"a" \{[\s\S]* {8}\}$/u);
		expect(specText('/A{v=a}.r').all).toBe('rel r = </A>');
		expect(specText('/').metadata).toBe('(\n    doc = "layer"\n)');
		expect(specText('/').all).toBe(TEXT);
	});

	it('tell where fields and values stand', () => {
		expect(fieldText('/', 'documentation')).toStrictEqual(['doc = "layer"', '"layer"']);
		expect(fieldText('/A', 'typeName')).toStrictEqual(['Xform', 'Xform']);
		expect(fieldText('/A', 'apiSchemas')).toStrictEqual(['prepend apiSchemas = ["S"]', '["S"]']);
		expect(fieldText('/A.x', 'default')).toStrictEqual(['custom uniform double x = 1.5', '1.5']);
		expect(fieldText('/A.x', 'documentation')).toStrictEqual(['doc = "d"', '"d"']);
		expect(fieldText('/A.x', 'typeName')).toStrictEqual(['double', 'double']);
		expect(fieldText('/A.x', 'variability')).toStrictEqual(['uniform', 'uniform']);
		expect(fieldText('/A.x', 'custom')).toStrictEqual(['custom', 'custom']);
		expect(fieldText('/A{v=a}.r', 'targetPaths')).toStrictEqual(['rel r = </A>', '</A>']);
	});

	it('cover all statements about one property', () => {
		expect(fieldText('/A.y', 'default')).toStrictEqual(['double y = 2', '2']);
		expect(fieldText('/A.y', 'timeSamples')?.[1]).toBe('{\n        1: 2,\n    }');
		expect(specText('/A.y').all).toBe('double y = 2');
	});

	it('have nothing to tell about what was implied', () => {
		expect(fieldText('/A.y', 'custom')).toBeUndefined();
		expect(fieldText('/A', 'primChildren')).toBeUndefined();
		expect(fieldText('/A.y', 'colorSpace')).toBeUndefined();
	});
});
