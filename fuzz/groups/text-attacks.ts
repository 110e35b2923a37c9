import type { Expectation, FuzzGroup, FuzzOptions } from '../fuzz-case.ts';

const HEAD = '#usda 1.0\n';
const MANY = 20_000;
const DEEP = 100_000;

interface Attack {
	readonly how: string;
	readonly expects: Expectation;
	readonly text: () => string;
}

/** Texts that are deep, long, repetitive or wrong in a way that could make a reader slow or overflow its stack. */
export function textAttacks(_options: FuzzOptions): FuzzGroup[] {
	const attacks = [...deep(), ...long(), ...repeated(), ...wrong()];
	return [
		{
			name: 'attack/text',
			count: attacks.length,
			make: (index) => {
				const { how, expects, text } = attacks[index]!;
				return { format: 'usda', bytes: new TextEncoder().encode(text()), expects, how };
			},
		},
	];
}

function attribute(value: string, type = 'int[]'): string {
	return `${HEAD}def "A"\n{\n${type} x = ${value}\n}\n`;
}

function times(count: number, make: (index: number) => string): string {
	return Array.from({ length: count }, (_, index) => make(index)).join('');
}

function* deep(): Generator<Attack> {
	for (const open of [
		'{',
		'(',
		'[',
		'<',
		'def "A" {',
		'def "A" (\n',
		'/*',
		'@',
		'variantSet "v" = { "a" {',
		'= [',
		'"',
		"'",
	]) {
		yield { how: `${DEEP} times ${open}`, expects: 'error', text: () => HEAD + open.repeat(DEEP) };
	}
	for (const open of ['[', '(', '{ dictionary d = ', '{']) {
		yield { how: `a value of ${DEEP} ${open}`, expects: 'error', text: () => attribute(open.repeat(DEEP)) };
	}
	yield {
		how: `${DEEP} closed tuples in each other`,
		expects: 'error',
		text: () => attribute('('.repeat(DEEP) + ')'.repeat(DEEP)),
	};
	yield {
		how: '2000 prims in each other',
		expects: 'clean',
		text: () => `${HEAD}${'def "A"\n{\n'.repeat(2000)}${'}\n'.repeat(2000)}`,
	};
	yield {
		how: `${DEEP} prims in each other`,
		expects: 'any',
		text: () => `${HEAD}${'def "A"\n{\n'.repeat(DEEP)}${'}\n'.repeat(DEEP)}`,
	};
	const dictionaries = (count: number): string =>
		`${HEAD}(\ncustomLayerData = {\n${'dictionary d = {\n'.repeat(count)}${'}\n'.repeat(count)}}\n)\n`;
	yield { how: '500 dictionaries in each other', expects: 'any', text: () => dictionaries(500) };
	yield { how: `${DEEP} dictionaries in each other`, expects: 'any', text: () => dictionaries(DEEP) };
	const variants = (count: number): string =>
		`${HEAD}def "A"\n{\n${times(count, () => 'variantSet "v" = {\n"a" {\n')}${'}\n}\n'.repeat(count)}}\n`;
	yield { how: '3000 variants in each other', expects: 'any', text: () => variants(3000) };
	yield {
		how: 'a path of 100000 prims',
		expects: 'any',
		text: () => attribute('', 'rel').replace('= ', `= <${'/a'.repeat(DEEP)}>`),
	};
	yield {
		how: 'a path of 20000 targets',
		expects: 'any',
		text: () => attribute('', 'rel').replace('= ', `= </a${'.r[/a'.repeat(MANY)}${']'.repeat(MANY)}>`),
	};
}

function* long(): Generator<Attack> {
	yield { how: 'a string of 10 MB', expects: 'clean', text: () => attribute(`"${'x'.repeat(1e7)}"`, 'string') };
	yield { how: 'a comment of 10 MB', expects: 'clean', text: () => `${HEAD}#${'x'.repeat(1e7)}\n` };
	yield { how: 'a line of 10 MB of letters', expects: 'error', text: () => HEAD + 'x'.repeat(1e7) };
	yield { how: 'a line of 10 MB without a header', expects: 'error', text: () => 'x'.repeat(1e7) };
	yield { how: 'a name of 1 MB', expects: 'clean', text: () => `${HEAD}def "${'x'.repeat(1e6)}"\n{\n}\n` };
	yield { how: 'a number of 1 MB', expects: 'any', text: () => attribute('1'.repeat(1e6), 'double') };
	yield { how: 'an integer of 1 MB', expects: 'any', text: () => attribute('1'.repeat(1e6), 'int') };
	yield {
		how: 'a number with 1 MB of decimals',
		expects: 'any',
		text: () => attribute(`0.${'0'.repeat(1e6)}1`, 'double'),
	};
	yield { how: '5 MB of line ends', expects: 'clean', text: () => HEAD + '\n'.repeat(5e6) };
	yield { how: 'an array of a million numbers', expects: 'clean', text: () => attribute(`[${'1, '.repeat(1e6)}1]`) };
	yield { how: 'a million numbers in one tuple', expects: 'error', text: () => attribute(`(${'1, '.repeat(1e6)}1)`) };
	yield {
		how: 'an unfinished array of a million numbers',
		expects: 'error',
		text: () => `${HEAD}def "A"\n{\nint[] x = [${'1, '.repeat(1e6)}`,
	};
	yield { how: '1 MB of escapes', expects: 'clean', text: () => attribute(`"${'\\n'.repeat(5e5)}"`, 'string') };
	yield { how: '1 MB of NUL', expects: 'error', text: () => HEAD + '\0'.repeat(1e6) };
	yield {
		how: '1 MB of quotes in a long string',
		expects: 'any',
		text: () => attribute(`"""${'\\"'.repeat(5e5)}"""`, 'string'),
	};
}

function* repeated(): Generator<Attack> {
	yield { how: `${MANY} sibling prims`, expects: 'clean', text: () => HEAD + times(MANY, (i) => `def "A${i}" {\n}\n`) };
	yield { how: `${MANY} prims of one name`, expects: 'error', text: () => HEAD + times(MANY, () => 'def "A" {\n}\n') };
	yield {
		how: `${MANY} attributes`,
		expects: 'clean',
		text: () => `${HEAD}def "A" {\n${times(MANY, (i) => `int x${i} = 1\n`)}}\n`,
	};
	yield {
		how: `${MANY} times one attribute`,
		expects: 'any',
		text: () => `${HEAD}def "A" {\n${times(MANY, () => 'int x = 1\n')}}\n`,
	};
	const targets = (one: (index: number) => string): string =>
		`${HEAD}def "A" {\nrel r = [${times(MANY, (i) => `</B/${one(i)}>, `)}]\n}\n`;
	yield { how: `${MANY} targets`, expects: 'clean', text: () => targets((i) => `c${i}`) };
	yield { how: `${MANY} times one target`, expects: 'any', text: () => targets(() => 'c') };
	yield {
		how: `${MANY} statements about one relationship`,
		expects: 'any',
		text: () => `${HEAD}def "A" {\n${times(MANY, (i) => `prepend rel r = </B/c${i}>\n`)}}\n`,
	};
	yield {
		how: `${MANY} references`,
		expects: 'clean',
		text: () => `${HEAD}def "A" (\nprepend references = [${times(MANY, (i) => `@a${i}.usda@, `)}]\n) {\n}\n`,
	};
	yield {
		how: `${MANY} applied schemas`,
		expects: 'clean',
		text: () => `${HEAD}def "A" (\nprepend apiSchemas = [${times(MANY, (i) => `"S${i}", `)}]\n) {\n}\n`,
	};
	const samples = (time: (index: number) => number): string =>
		`${HEAD}def "A" {\nint x.timeSamples = {\n${times(MANY, (i) => `${time(i)}: ${i},\n`)}}\n}\n`;
	yield { how: `${MANY} time samples`, expects: 'clean', text: () => samples((i) => i) };
	yield { how: `${MANY} time samples backwards`, expects: 'clean', text: () => samples((i) => -i) };
	yield { how: `${MANY} samples at one time`, expects: 'any', text: () => samples(() => 1) };
	yield {
		how: `${MANY} dictionary entries`,
		expects: 'clean',
		text: () => `${HEAD}(\ncustomLayerData = {\n${times(MANY, (i) => `int k${i} = 1\n`)}}\n)\n`,
	};
	yield {
		how: `${MANY} metadata entries`,
		expects: 'any',
		text: () => `${HEAD}def "A" (\n${times(MANY, (i) => `m${i} = 1\n`)}) {\n}\n`,
	};
	yield {
		how: `${MANY} times one metadata entry`,
		expects: 'any',
		text: () => `${HEAD}def "A" (\n${times(MANY, () => 'm = 1\n')}) {\n}\n`,
	};
	yield {
		how: `${MANY} sublayers`,
		expects: 'clean',
		text: () => `${HEAD}(\nsubLayers = [${times(MANY, (i) => `@${i}.usda@, `)}]\n)\n`,
	};
	yield {
		how: `${MANY} variants`,
		expects: 'clean',
		text: () =>
			`${HEAD}def "A" (\nprepend variantSets = "v"\n) {\nvariantSet "v" = {\n${times(MANY, (i) => `"a${i}" {\n}\n`)}}\n}\n`,
	};
	const knots = times(MANY, (i) => `${i}: 1; post curve (1, 2),\n`);
	yield {
		how: `${MANY} knots`,
		expects: 'any',
		text: () => `${HEAD}def "A" {\ndouble x.spline = {\nbezier,\n${knots}}\n}\n`,
	};
	yield {
		how: `${MANY} times a new order`,
		expects: 'any',
		text: () => `${HEAD}def "A" {\n${times(MANY, () => 'reorder nameChildren = ["B"]\n')}}\n`,
	};
}

function* wrong(): Generator<Attack> {
	yield { how: `${MANY} wrong lines`, expects: 'error', text: () => HEAD + times(MANY, (i) => `@@ wrong ${i}\n`) };
	yield {
		how: `${MANY} wrong attributes`,
		expects: 'error',
		text: () => `${HEAD}def "A" {\n${times(MANY, (i) => `int x${i} = [\n`)}}\n`,
	};
	yield {
		how: `${MANY} wrong prims`,
		expects: 'error',
		text: () => HEAD + times(MANY, (i) => `def "A${i}" { int = 3 }\n`),
	};
	yield {
		how: 'ten thousand values that do not fit',
		expects: 'error',
		text: () => `${HEAD}def "A" {\n${times(1e4, (i) => `float3 x${i} = (1, "a")\n`)}}\n`,
	};
	for (const text of [
		'',
		' ',
		'#',
		'#usda',
		'#usda 1.0',
		'#usda 9.9\n',
		'#sdf 1.4.32\n',
		'\ufeff#usda 1.0\n',
		'PK\u0003\u0004',
		'#usda 1.0\n(',
	]) {
		yield { how: `only ${JSON.stringify(text)}`, expects: 'any', text: () => text };
	}
	for (const text of [
		'',
		'#',
		'#usda',
		'def "A" {}',
		'#usda 1.0\n(',
		'#usda 1.0\ndef',
		'#usda 1.0\ndef "A" {',
		'#usda 1.0\n"""',
		'#usda 1.0\n/*',
	]) {
		yield { how: `only ${JSON.stringify(text)}, which is not whole`, expects: 'error', text: () => text };
	}
}
