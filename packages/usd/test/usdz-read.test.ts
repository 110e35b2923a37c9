import { Report } from '@manyworlds/core';
import { deflateSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../src/usdz/crc32.ts';
import { openPackaged } from '../src/usdz/open-packaged.ts';
import { type ReadUsdzOptions, readUsdz, type UsdzPackage } from '../src/usdz/read-usdz.ts';
import { writeUsdz } from '../src/usdz/write-usdz.ts';

const encoder = new TextEncoder();
const LAYER = encoder.encode('#usda 1.0\n');

/** A member as a careless packer might write it. */
interface LooseMember {
	readonly name: string;
	readonly data?: Uint8Array;
	readonly method?: number;
	readonly flags?: number;
	readonly crc?: number;
	readonly size?: number;
	readonly headerName?: string;
	/** Extra bytes in front of the data. */
	readonly padding?: number;
	/** Whether sizes stand behind the data instead of in the header. */
	readonly hasDescriptor?: boolean;
	readonly offset?: number;
}

interface LooseZip {
	readonly comment?: string;
	readonly prefix?: number;
	readonly count?: number;
}

/** Zip bytes with whatever is asked for, right or wrong. */
function zip(
	members: readonly LooseMember[],
	{ comment = '', prefix = 0, count = members.length }: LooseZip = {},
): Uint8Array {
	const out: number[] = new Array(prefix).fill(0);
	const u16 = (n: number) => out.push(n & 255, (n >>> 8) & 255);
	const u32 = (n: number) => out.push(n & 255, (n >>> 8) & 255, (n >>> 16) & 255, n >>> 24);
	const offsets: number[] = [];
	const packed = members.map((member) => {
		const data = member.data ?? LAYER;
		const stored = member.method === 8 ? deflateSync(data) : data;
		return { ...member, stored, crc: member.crc ?? crc32(data), size: member.size ?? data.length };
	});
	const shared = (member: (typeof packed)[number], isBlank: boolean) => {
		u16(20);
		u16((member.flags ?? 0) | (member.hasDescriptor ? 8 : 0));
		u16(member.method ?? 0);
		u32(0);
		u32(isBlank ? 0 : member.crc);
		u32(isBlank ? 0 : member.stored.length);
		u32(isBlank ? 0 : member.size);
	};
	for (const member of packed) {
		offsets.push(out.length);
		const name = encoder.encode(member.headerName ?? member.name);
		u32(0x04034b50);
		shared(member, member.hasDescriptor === true);
		u16(name.length);
		u16(member.padding ?? 0);
		out.push(...name, ...new Array(member.padding ?? 0).fill(0));
		for (const byte of member.stored) out.push(byte);
		if (member.hasDescriptor) {
			u32(0x08074b50);
			u32(member.crc);
			u32(member.stored.length);
			u32(member.size);
		}
	}
	const start = out.length;
	packed.forEach((member, i) => {
		const name = encoder.encode(member.name);
		u32(0x02014b50);
		u16(20);
		shared(member, false);
		u16(name.length);
		for (let zeros = 0; zeros < 12; zeros++) out.push(0);
		u32(member.offset ?? offsets[i]! - prefix);
		out.push(...name);
	});
	const size = out.length - start;
	u32(0x06054b50);
	u32(0);
	u16(count);
	u16(count);
	u32(size);
	u32(start - prefix);
	u16(comment.length);
	out.push(...encoder.encode(comment));
	return Uint8Array.from(out);
}

function read(bytes: Uint8Array, options: ReadUsdzOptions = {}): { codes: string[]; messages: string[] } & UsdzPackage {
	const report = new Report();
	const result = readUsdz(bytes, { file: 'p.usdz', report, ...options });
	const found = report.toArray();
	return { ...result, codes: found.map((d) => d.code), messages: found.map((d) => d.message) };
}

/** Padding that puts the data of a first member with this name at byte 64. */
const aligned = (name: string): LooseMember => ({ name, padding: 64 - 30 - name.length });
const names = (result: UsdzPackage): string[] => result.entries.map((entry) => entry.name);

describe('readUsdz', () => {
	it('reads an aligned package without a word', () => {
		const { codes, entries, rootLayer } = read(zip([aligned('a.usda')]));
		expect(codes).toEqual([]);
		expect(entries).toHaveLength(1);
		expect(rootLayer).toMatchObject({ name: 'a.usda', bytes: LAYER, offset: 64, isCompressed: false });
	});

	it('expands deflated members and says that they should be stored', () => {
		const data = encoder.encode('#usda 1.0\n'.repeat(1000));
		const { codes, rootLayer } = read(zip([{ name: 'a.usda', data, method: 8 }]));
		expect(codes).toEqual(['USDZ012']);
		expect(rootLayer?.bytes).toEqual(data);
	});

	it('takes sizes from the directory when the header leaves them to a descriptor', () => {
		const data = encoder.encode('#usda 1.0\ndef "A" {}\n');
		const { codes, rootLayer } = read(
			zip([{ name: 'a.usda', data, method: 8, hasDescriptor: true }, { name: 'b.usda' }]),
		);
		expect(codes).toEqual(['USDZ012', 'USDZ013']);
		expect(rootLayer?.bytes).toEqual(data);
	});

	it('warns of misaligned data and of a first member that is no layer', () => {
		const { codes, rootLayer } = read(zip([{ name: 'a.png' }, { name: 'b.usdc' }]));
		expect(codes.sort()).toEqual(['USDZ013', 'USDZ013', 'USDZ014']);
		expect(rootLayer?.name).toBe('b.usdc');
	});

	it('warns of a comment and of bytes in front', () => {
		expect(read(zip([aligned('a.usda')], { comment: 'hello' })).codes).toEqual(['USDZ015']);
		const shifted = read(zip([aligned('a.usda')], { prefix: 64 }));
		expect(shifted.codes).toEqual(['USDZ015']);
		expect(names(shifted)).toEqual(['a.usda']);
	});

	it('skips folders', () => {
		const { codes, entries } = read(zip([aligned('a.usda'), { name: 'textures/', data: new Uint8Array(0) }]));
		expect(codes).toEqual([]);
		expect(entries).toHaveLength(1);
	});

	it.each(['../a.usda', 'x/../../a.usda', '/a.usda', 'C:/a.usda', 'x\\a.usda', 'a\0.usda', ''])(
		'refuses the name %j',
		(name) => {
			const result = read(zip([aligned('a.usda'), { name }]));
			expect(result.codes).toEqual(['USDZ005']);
			expect(names(result)).toEqual(['a.usda']);
		},
	);

	it('refuses encrypted members and unknown methods', () => {
		const result = read(zip([aligned('a.usda'), { name: 'b.usda', flags: 1 }, { name: 'c.usda', method: 12 }]));
		expect(result.codes).toEqual(['USDZ006', 'USDZ007']);
		expect(names(result)).toEqual(['a.usda']);
	});

	it('reports wrong checksums and keeps the member', () => {
		const result = read(zip([{ ...aligned('a.usda'), crc: 1 }]));
		expect(result.codes).toEqual(['USDZ009']);
		expect(names(result)).toEqual(['a.usda']);
	});

	it('uses the first of two members with one name', () => {
		const second = { name: 'a.usda', data: encoder.encode('#usda 1.0\n\n') };
		const result = read(zip([aligned('a.usda'), second]));
		expect(result.codes).toEqual(['USDZ010']);
		expect(result.rootLayer?.bytes).toEqual(LAYER);
	});

	it('reports members that share bytes', () => {
		const result = read(zip([aligned('a.usda'), { name: 'a.usda', offset: 0 }, { name: 'b.usda' }]));
		expect(result.codes).toContain('USDZ011');
		expect(names(result)).toEqual(['a.usda', 'b.usda']);
	});

	it.each<[string, LooseMember]>([
		['starts outside the file', { name: 'b.usda', offset: 99999 }],
		['has another name in its header', { name: 'b.usda', headerName: 'c.usda' }],
		['has damaged compressed data', { name: 'b.usda', method: 8, size: 11 }],
	])('leaves out a member that %s', (_, member) => {
		const result = read(zip([aligned('a.usda'), member]));
		expect(result.codes).toEqual(['USDZ008']);
		expect(names(result)).toEqual(['a.usda']);
	});

	it('says when there is no layer', () => {
		expect(read(zip([aligned('a.png')])).codes).toEqual(['USDZ016']);
		expect(read(zip([])).codes).toEqual(['USDZ016']);
	});

	it('refuses zip64', () => {
		expect(read(zip([aligned('a.usda')], { count: 0xffff })).codes).toEqual(['USDZ003']);
	});

	it('reads what the directory lists before it is damaged', () => {
		const result = read(zip([aligned('a.usda')], { count: 3 }));
		expect(result.codes).toEqual(['USDZ002']);
		expect(names(result)).toEqual(['a.usda']);
	});

	it('finds members of a package that lost its directory', () => {
		const bytes = zip([aligned('a.usda'), { name: 'b.usda' }]);
		const result = read(bytes.subarray(0, bytes.length - 40));
		expect(result.codes).toContain('USDZ001');
		expect(names(result)).toEqual(['a.usda', 'b.usda']);
	});

	it.each([0, 1, 21, 22, 100])('reports %d bytes of something else', (length) => {
		expect(read(new Uint8Array(length).fill(0x50)).codes).toEqual(['USDZ001']);
	});

	describe('limits', () => {
		const big = new Uint8Array(3_000_000);

		it('bound the number of members', () => {
			const result = read(zip([aligned('a.usda'), { name: 'b.usda' }]), { limits: { entries: 1 } });
			expect(result.codes).toEqual(['USDZ004']);
			expect(names(result)).toEqual(['a.usda']);
		});

		it('bound what members expand to, alone and together', () => {
			const bomb = zip([aligned('a.usda'), { name: 'b.bin', data: big, method: 8 }]);
			expect(read(bomb).codes).toEqual(['USDZ004']);
			expect(read(bomb, { limits: { ratio: 2000 } }).codes).toEqual(['USDZ012']);
			expect(read(bomb, { limits: { ratio: 2000, entryBytes: 2_000_000 } }).codes).toEqual(['USDZ004']);
			expect(read(bomb, { limits: { ratio: 2000, totalBytes: 2_000_000 } }).codes).toEqual(['USDZ004']);
		});

		it('hold when the directory lies about the size', () => {
			const bomb = zip([aligned('a.usda'), { name: 'b.bin', data: big, method: 8, size: 1000 }]);
			const result = read(bomb);
			expect(result.codes).toEqual(['USDZ008']);
			expect(result.expandedBytes).toBe(0);
			const huge = zip([aligned('a.usda'), { name: 'b.bin', data: LAYER, method: 8, size: 900_000 }]);
			expect(read(huge).codes).toEqual(['USDZ008']);
		});
	});

	it('ends with diagnostics on truncated and changed packages', () => {
		const bytes = zip([
			aligned('a.usda'),
			{ name: 'b/c.png', data: new Uint8Array(500), method: 8 },
			{ name: 'd.usdc' },
		]);
		for (let end = 0; end < bytes.length; end++) read(bytes.subarray(0, end));
		for (let bit = 0; bit < bytes.length * 8; bit += 3) {
			const changed = bytes.slice();
			changed[bit >> 3]! ^= 1 << (bit & 7);
			read(changed);
		}
	});
});

describe('openPackaged', () => {
	const inner = writeUsdz([{ name: 'i.usda', bytes: LAYER }]);
	const outer = writeUsdz([
		{ name: 'o.usda', bytes: LAYER },
		{ name: 'parts/[1].usdz', bytes: inner },
	]);

	it('finds members of packages inside packages', () => {
		const container = readUsdz(outer);
		expect(openPackaged(container, 'o.usda')?.bytes).toEqual(LAYER);
		expect(openPackaged(container, 'parts/[1].usdz[i.usda]')?.bytes).toEqual(LAYER);
		expect(openPackaged(container, 'parts/[1].usdz')?.bytes).toEqual(inner);
	});

	it('says which member of which package is missing', () => {
		const report = new Report();
		expect(openPackaged(readUsdz(outer), 'parts/[1].usdz[j.usda]', { file: 'o.usdz', report })).toBeUndefined();
		expect(report.toArray()).toMatchObject([
			{ code: 'USDZ017', file: 'o.usdz[parts/\\[1\\].usdz]', message: "there is no member 'j.usda' in the package" },
		]);
	});
});
