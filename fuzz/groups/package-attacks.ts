import type { Expectation, FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { buildRawZip, type RawMember, type ZipLies } from '../raw-zip.ts';

interface Attack {
	readonly how: string;
	readonly expects: Expectation;
	readonly bytes: () => Uint8Array;
}

const LAYER = new TextEncoder().encode('#usda 1.0\ndef "A"\n{\n}\n');
const EXTREMES = [0xffffffff, 0x80000000, 0x7fffffff, 0x10000000, 1_000_000, 65_535];

/** Packages that lie about sizes and places, name files outside, or grow when they are unpacked. */
export function packageAttacks(_options: FuzzOptions): FuzzGroup[] {
	const attacks = [...lyingDirectories(), ...lyingMembers(), ...badNames(), ...bombs()];
	return [
		{
			name: 'attack/package',
			count: attacks.length,
			make: (index) => {
				const { how, expects, bytes } = attacks[index]!;
				return { format: 'usdz', bytes: bytes(), expects, how };
			},
		},
	];
}

function zip(how: string, expects: Expectation, members: readonly RawMember[], lies?: ZipLies): Attack {
	return { how, expects, bytes: () => buildRawZip(members, lies) };
}

const ROOT: RawMember = { name: 'root.usda', bytes: LAYER };

function* lyingDirectories(): Generator<Attack> {
	yield zip('a sound package', 'clean', [ROOT]);
	yield zip('no members', 'told', []);
	for (const number of EXTREMES) {
		if (number <= 0xffff) yield zip(`${number} entries`, 'error', [ROOT], { entries: number });
		yield zip(`directory of ${number} bytes`, 'told', [ROOT], { directorySize: number });
		yield zip(`directory at ${number}`, 'error', [ROOT], { directoryOffset: number });
	}
	yield zip('directory at 0', 'error', [ROOT], { directoryOffset: 0 });
	yield zip('a comment that is not there', 'any', [ROOT], { commentSize: 1000 });
}

function* lyingMembers(): Generator<Attack> {
	for (const number of EXTREMES) {
		for (const deflate of [false, true]) {
			yield zip(`size ${number}, deflate ${deflate}`, 'told', [{ ...ROOT, deflate, size: number }]);
			yield zip(`compressed size ${number}, deflate ${deflate}`, 'told', [
				{ ...ROOT, deflate, compressedSize: number },
			]);
		}
		yield zip(`header at ${number}`, 'error', [{ ...ROOT, headerOffset: number }]);
		yield zip(`method ${(number % 90) + 9}`, 'error', [{ ...ROOT, method: (number % 90) + 9 }]);
	}
	yield zip('wrong checksum', 'told', [{ ...ROOT, crc: 1 }]);
	yield zip('encrypted', 'error', [{ ...ROOT, flags: 1 }]);
	yield zip('damaged deflate', 'error', [{ ...ROOT, method: 8 }]);
	yield zip('another name in the header', 'error', [{ ...ROOT, localName: 'xoot.usda' }]);
	yield zip('two members of one name', 'told', [ROOT, ROOT]);
	yield zip('a thousand members on one header', 'told', [
		ROOT,
		...Array.from({ length: 1000 }, (_, i) => ({ name: `m${i}.usda`, bytes: LAYER, headerOffset: 0 })),
	]);
	yield zip('a layer that is a picture', 'error', [{ name: 'root.usda', bytes: new Uint8Array(100).fill(0x89) }]);
	yield zip('an empty layer', 'error', [{ name: 'root.usdc', bytes: new Uint8Array(0) }]);
	yield zip('no layer', 'error', [{ name: 'picture.png', bytes: LAYER }]);
}

function* badNames(): Generator<Attack> {
	const names = [
		'../evil.usda',
		'/etc/evil.usda',
		'a/../../evil.usda',
		'C:\\evil.usda',
		'..\\evil.usda',
		'',
		'\0.usda',
	];
	for (const name of names) yield zip(`a member named ${JSON.stringify(name)}`, 'told', [{ name, bytes: LAYER }, ROOT]);
	yield zip('a name of 60000 bytes', 'any', [{ name: `${'x'.repeat(60_000)}.usda`, bytes: LAYER }]);
}

function* bombs(): Generator<Attack> {
	const zeros = (size: number): RawMember => ({ name: 'root.usda', bytes: new Uint8Array(size), deflate: true });
	yield zip('20 MB of zeros', 'error', [zeros(2e7)]);
	yield zip('20 MB of zeros that say 100 bytes', 'error', [{ ...zeros(2e7), size: 100 }]);
	yield zip('100 bytes that say 1 GB', 'error', [{ ...zeros(100), size: 2 ** 30 }]);
	yield {
		how: 'a package in a package, fifty deep',
		expects: 'any',
		bytes: () => {
			let inner = buildRawZip([ROOT]);
			for (let i = 0; i < 50; i++) inner = buildRawZip([{ name: 'inner.usdz', bytes: inner }]);
			return inner;
		},
	};
	yield {
		how: 'two thousand members',
		expects: 'any',
		bytes: () => buildRawZip(Array.from({ length: 2_000 }, (_, i) => ({ name: `m${i}.usda`, bytes: LAYER }))),
	};
}
