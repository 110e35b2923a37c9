import type { FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { Random } from '../random.ts';
import { VALUES_AT } from '../raw-crate.ts';

/** Random content: words and brackets of the text format, bytes, and bytes behind the headers of crates and packages. */
export function soupGroups(count: number, options: FuzzOptions): FuzzGroup[] {
	return [
		group('soup/text-words', count, options, 'usda', (random) => encode(wordSoup(random))),
		group('soup/text-grammar', count, options, 'usda', (random) => encode(grammarSoup(random))),
		group('soup/text-bytes', count / 4, options, 'usda', (random) => byteSoup(random, encode('#usda 1.0\n'))),
		group('soup/crate-bytes', count / 4, options, 'usdc', crateSoup),
		group('soup/package-bytes', count / 4, options, 'usdz', packageSoup),
		group('soup/bytes', count / 4, options, 'usdz', (random) => random.bytes(random.below(4096))),
	];
}

function group(
	name: string,
	count: number,
	options: FuzzOptions,
	format: 'usda' | 'usdc' | 'usdz',
	make: (random: Random) => Uint8Array,
): FuzzGroup {
	return {
		name,
		count: Math.floor(count),
		make: (index) => ({ format, bytes: make(new Random(options.seed, name, index)), expects: 'any', how: 'random' }),
	};
}

function encode(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

const WORDS: readonly string[] = [
	...'def over class variantSet variants rel uniform varying custom config prepend append delete add reorder'.split(
		' ',
	),
	...'references payload inherits specializes relocates subLayers doc kind customData apiSchemas nameChildren'.split(
		' ',
	),
	...'rootPrims properties timeSamples connect default spline edit None AnimationBlock true false inf -inf nan'.split(
		' ',
	),
	...'int int[] float3 float3[] double half uchar uint64 int64 bool string token asset matrix4d quatf timecode'.split(
		' ',
	),
	...'point3f[] color3f texCoord2f[] dictionary opaque group pathExpression offset scale bezier hermite loop'.split(
		' ',
	),
	...'{ } ( ) [ ] < > = : ; , . / & | - + @ @@@ " """ \' \'\'\' # // /* */ \\ * ~ $ ! ?'.split(' '),
	...'0 -1 1.5 1e400 -1e-400 0x10 99999999999999999999 9223372036854775808 .5 5. 1e +3 00'.split(' '),
	...['"name"', '"a b"', '@./x.usda@', '</A/B>', '</A.b>', '</A{v=x}B>', '<../C>', '.timeSamples', '.connect', ':'],
	...['\n', '\n', '\n', '\r\n', '\t', '\0', '\u00e9', '机', '🤖', '\ufeff', '\uffff', 'a:b:c', 'Ab_1', '_', '1a'],
];

function wordSoup(random: Random): string {
	const words: string[] = random.oneIn(10) ? [] : ['#usda 1.0\n'];
	const length = 1 + random.below(random.oneIn(20) ? 3000 : 80);
	for (let i = 0; i < length; i++) words.push(random.pick(WORDS));
	return words.join(random.pick([' ', ' ', '', '\n']));
}

/** Nearly right text: productions of the grammar where any part may be replaced by a random word. */
function grammarSoup(random: Random): string {
	let budget = 40;
	const noise = random.pick([20, 60, 200]);
	const maybe = (text: string): string => (random.oneIn(noise) ? random.pick(WORDS) : text);
	const name = (): string => maybe(random.pick(['A', 'B', 'Link_1', 'Größe', 'x']));
	const value = (depth: number): string => {
		budget--;
		const leaf = random.pick(['1', '-2.5', '"text"', '@a.png@', 'None', 'true', '</A>', '1e9', "'q'"]);
		if (budget < 0 || depth > 6) return leaf;
		const inner = (): string => Array.from({ length: random.below(4) }, () => value(depth + 1)).join(maybe(', '));
		return maybe(random.pick([leaf, `(${inner()})`, `[${inner()}]`, `{ ${type()} k = ${leaf} }`]));
	};
	const type = (): string =>
		maybe(random.pick(['int', 'float3', 'token[]', 'double', 'matrix2d', 'string', 'Point', 'asset', 'half4[]']));
	const metadata = (): string => {
		if (random.oneIn(2)) return '';
		const entries = Array.from({ length: random.below(4) }, () => {
			const edit = random.pick(['', '', 'prepend ', 'delete ', 'add ']);
			const key = random.pick([
				'doc',
				'kind',
				'customData',
				'references',
				'apiSchemas',
				'unknown',
				'variants',
				'inherits',
				'payload',
			]);
			return `${edit}${key} ${maybe('=')} ${value(0)}`;
		});
		return ` (${maybe('\n')}${entries.join(random.pick(['\n', '; ', ' ']))}\n)`;
	};
	const property = (): string => {
		const kind = random.below(6);
		const prefix = random.pick(['', 'custom ', 'uniform ', 'append ', 'config ']);
		if (kind === 0) return `${prefix}rel ${name()} = ${value(0)}${metadata()}`;
		if (kind === 1) return `${type()} ${name()}.timeSamples = { ${random.below(9)}: ${value(0)}, ${value(1)}: None }`;
		if (kind === 2) return `${type()} ${name()}.connect = ${value(0)}`;
		if (kind === 3) return `double ${name()}.spline = { bezier, ${value(1)}: ${value(1)}; post curve (1, 2), }`;
		return `${prefix}${type()} ${name()} = ${value(0)}${metadata()}`;
	};
	const prim = (depth: number): string => {
		budget -= 2;
		const head = `${maybe(random.pick(['def', 'over', 'class']))} ${random.pick(['', 'Xform', 'a.b'])} "${name()}"${metadata()}`;
		const body: string[] = [];
		for (let left = random.below(5); left > 0; left--) {
			if (budget > 0 && depth < 8 && random.oneIn(3)) body.push(prim(depth + 1));
			else if (random.oneIn(8)) body.push(`variantSet "${name()}" = { "${name()}"${metadata()} {\n${property()}\n} }`);
			else body.push(property());
		}
		return `${head}\n${maybe('{')}\n${body.join(maybe('\n'))}\n${maybe('}')}\n`;
	};
	const prims = Array.from({ length: 1 + random.below(3) }, () => prim(0));
	return `${maybe('#usda 1.0')}\n${metadata().trim()}\n${prims.join('\n')}`;
}

function byteSoup(random: Random, head: Uint8Array): Uint8Array {
	const body = random.bytes(random.below(4096));
	const bytes = new Uint8Array(head.byteLength + body.byteLength);
	bytes.set(head);
	bytes.set(body, head.byteLength);
	return bytes;
}

const SECTIONS = ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS'];

/** A right bootstrap and table of contents around random sections, whose counts are sometimes small. */
function crateSoup(random: Random): Uint8Array {
	const size = 512 + random.below(4096);
	const bytes = random.bytes(size);
	const view = new DataView(bytes.buffer);
	bytes.set(encode('PXR-USDC'));
	bytes.set([0, 4 + random.below(13), 0, 0, 0, 0, 0, 0], 8);
	const toc = size - 8 - SECTIONS.length * 32;
	view.setBigUint64(16, BigInt(toc), true);
	view.setBigUint64(toc, BigInt(SECTIONS.length), true);
	const step = Math.floor((toc - VALUES_AT) / SECTIONS.length);
	SECTIONS.forEach((name, i) => {
		const entry = toc + 8 + i * 32;
		const start = VALUES_AT + i * step;
		bytes.fill(0, entry, entry + 16);
		bytes.set(encode(name), entry);
		view.setBigUint64(entry + 16, BigInt(start), true);
		view.setBigUint64(entry + 24, BigInt(step), true);
		for (let at = start; at + 8 <= start + 24 && random.oneIn(2) === false; at += 8) {
			view.setBigUint64(at, BigInt(random.below(random.pick([4, 64, step, 2 ** 31]))), true);
		}
	});
	return bytes;
}

/** Random bytes with the signatures of a zip file in them. */
function packageSoup(random: Random): Uint8Array {
	const size = 256 + random.below(2048);
	const bytes = random.bytes(size);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, 0x04034b50, true);
	const end = size - 22 - random.below(32);
	const directory = random.below(end);
	view.setUint32(directory, 0x02014b50, true);
	view.setUint32(end, 0x06054b50, true);
	const entries = random.below(random.pick([2, 8, 65536]));
	view.setUint16(end + 8, entries, true);
	view.setUint16(end + 10, entries, true);
	view.setUint32(end + 12, end - directory, true);
	view.setUint32(end + 16, directory, true);
	view.setUint16(end + 20, size - end - 22, true);
	return bytes;
}
