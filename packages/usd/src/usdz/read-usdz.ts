import { quote, Report } from '@manyworlds/core';
import { createDiagnostic, type UsdCode } from '../diagnostics.ts';
import { crc32 } from './crc32.ts';
import { inflateMember } from './inflate-member.ts';
import { isLayerName, memberNameFault } from './member-name.ts';
import { joinPackageRelativePath } from './package-path.ts';
import { readLocalHeader, readZipDirectory, type ZipFault, type ZipRecord } from './zip-directory.ts';

/** Bounds on what reading a package may cost. Stored members are views of the file and cost nothing. */
export interface UsdzLimits {
	/** Most members. */
	readonly entries?: number;
	/** Most bytes that one compressed member may expand to. */
	readonly entryBytes?: number;
	/** Most bytes that all compressed members together may expand to. */
	readonly totalBytes?: number;
	/** Largest ratio of expanded to compressed size, for members that expand beyond 1 MiB. */
	readonly ratio?: number;
}

export const USDZ_LIMITS: Required<UsdzLimits> = Object.freeze({
	entries: 0xffff,
	entryBytes: 2 ** 28,
	totalBytes: 2 ** 28,
	ratio: 400,
});

/** How a package is read. */
export interface ReadUsdzOptions {
	/** Name of the package in diagnostics. */
	readonly file?: string;
	/** Collects what is found. */
	readonly report?: Report;
	readonly limits?: UsdzLimits;
}

/** A file of a package. */
export interface UsdzEntry {
	/** Path below the package, with forward slashes. */
	readonly name: string;
	/** Content: a view of the package when stored, an array of its own when it was compressed. */
	readonly bytes: Uint8Array;
	/** Where the data starts in the package. */
	readonly offset: number;
	readonly isCompressed: boolean;
}

/** The files of a package in the order of their data. */
export interface UsdzPackage {
	readonly entries: readonly UsdzEntry[];
	/** The first layer; undefined when there is none. */
	readonly rootLayer: UsdzEntry | undefined;
	/** Bytes that compressed members expanded to. */
	readonly expandedBytes: number;
	/** Whether the file ends before its directory, so that members may be missing. */
	readonly isCutOff: boolean;
	find(name: string): UsdzEntry | undefined;
}

/**
 * Reads a usdz package, or any other zip file. Never throws on bad content: faults go to `report`, members that cannot
 * be read are left out.
 */
export function readUsdz(bytes: Uint8Array, options: ReadUsdzOptions = {}): UsdzPackage {
	return new PackageReader(bytes, options).read();
}

const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const ALIGNMENT = 64;
const SMALL = 2 ** 20;

const FAULT_CODES: { readonly [kind in ZipFault['kind']]: UsdCode } = {
	missing: 'USDZ001',
	damaged: 'USDZ002',
	zip64: 'USDZ003',
	entries: 'USDZ004',
	extra: 'USDZ015',
};

class PackageReader {
	readonly #bytes: Uint8Array;
	readonly #file: string | undefined;
	readonly #report: Report;
	readonly #limits: Required<UsdzLimits>;
	#expanded = 0;

	constructor(bytes: Uint8Array, options: ReadUsdzOptions) {
		this.#bytes = bytes;
		this.#file = options.file;
		this.#report = options.report ?? new Report();
		this.#limits = { ...USDZ_LIMITS, ...options.limits };
	}

	read(): UsdzPackage {
		const directory = readZipDirectory(this.#bytes, this.#limits.entries);
		for (const fault of directory.faults) this.#add(FAULT_CODES[fault.kind], fault.message, fault.byteOffset);
		// readers that walk the file, as OpenUSD does, meet members in this order
		const records = [...directory.records].sort((a, b) => a.headerOffset - b.headerOffset);
		const byName = new Map<string, UsdzEntry>();
		let end = 0;
		for (const record of records) {
			const extent = this.#locate(record, directory.dataEnd);
			if (extent === undefined) continue;
			if (record.headerOffset < end) {
				const message = `the member starts at byte ${record.headerOffset}, inside the one before, which ends at ${end}`;
				this.#addTo(record, 'USDZ011', message);
				continue;
			}
			end = extent.end;
			if (record.name.endsWith('/') && record.size === 0) continue;
			if (byName.has(record.name)) {
				this.#addTo(record, 'USDZ010', `a member named ${quote(record.name)} came before; the first one is used`);
				continue;
			}
			const entry = this.#readMember(record, extent.start, extent.end);
			if (entry !== undefined) byName.set(record.name, entry);
		}
		const entries = [...byName.values()];
		// without a directory or a member there is nothing more to say
		const isRefused =
			entries.length === 0 && directory.faults.some(({ kind }) => kind === 'zip64' || kind === 'missing');
		return {
			entries,
			rootLayer: this.#rootLayer(entries, isRefused),
			expandedBytes: this.#expanded,
			isCutOff: directory.records.length > 0 && directory.faults.some(({ kind }) => kind === 'missing'),
			find: (name) => byName.get(name),
		};
	}

	/** Where the data of a member lies; undefined, with a diagnostic, for a member that must not be read. */
	#locate(record: ZipRecord, dataEnd: number): { readonly start: number; readonly end: number } | undefined {
		const fault = memberNameFault(record.name);
		if (fault !== undefined) {
			this.#addTo(record, 'USDZ005', `the name ${quote(record.name)} is refused: ${fault}`);
			return undefined;
		}
		const header = readLocalHeader(this.#bytes, record.headerOffset);
		if (header === undefined) {
			this.#addTo(record, 'USDZ008', `there is no header of the member at byte ${record.headerOffset}`);
			return undefined;
		}
		if (header.name !== record.name) {
			const message = `the directory names the member ${quote(record.name)}, its own header ${quote(header.name)}`;
			this.#addTo(record, 'USDZ008', message);
			return undefined;
		}
		const start = header.dataOffset;
		const end = start + record.compressedSize;
		if (end > dataEnd) {
			this.#addTo(record, 'USDZ008', `the member ends at byte ${end}, beyond byte ${dataEnd} where members must end`);
			return undefined;
		}
		return { start, end };
	}

	#readMember(record: ZipRecord, start: number, end: number): UsdzEntry | undefined {
		if ((record.flags & ENCRYPTED) !== 0) {
			this.#addTo(record, 'USDZ006', 'the member is encrypted');
			return undefined;
		}
		if (record.method !== STORED && record.method !== DEFLATED) {
			const message = `the member is compressed by method ${record.method}, expected 0 (stored)`;
			this.#addTo(record, 'USDZ007', message);
			return undefined;
		}
		const data = this.#bytes.subarray(start, end);
		const isCompressed = record.method === DEFLATED;
		if (!isCompressed && record.size !== record.compressedSize) {
			const message = `a stored member has ${record.compressedSize} bytes, but the directory names ${record.size}`;
			this.#addTo(record, 'USDZ008', message);
		}
		const content = isCompressed ? this.#expand(record, data) : data;
		if (content === undefined) return undefined;
		const crc = crc32(content);
		if (crc !== record.crc) {
			const message = `the checksum of the member is ${hex(crc)}, the directory names ${hex(record.crc)}`;
			this.#addTo(record, 'USDZ009', message);
		}
		if (isCompressed) {
			this.#addTo(record, 'USDZ012', 'the member is compressed, expected it stored');
		} else if (start % ALIGNMENT !== 0) {
			const message = `the data starts at byte ${start}, expected a multiple of ${ALIGNMENT}`;
			this.#addTo(record, 'USDZ013', message);
		}
		return { name: record.name, bytes: content, offset: start, isCompressed };
	}

	#expand(record: ZipRecord, data: Uint8Array): Uint8Array | undefined {
		const { entryBytes, totalBytes, ratio } = this.#limits;
		const { size } = record;
		let excess: string | undefined;
		if (size > entryBytes) excess = `the limit for one member is ${entryBytes}`;
		else if (this.#expanded + size > totalBytes) excess = `the limit for the whole package is ${totalBytes}`;
		else if (size > SMALL && size > data.length * ratio)
			excess = `the limit is ${ratio} times its ${data.length} bytes`;
		if (excess !== undefined) {
			this.#addTo(record, 'USDZ004', `the member would expand to ${size} bytes; ${excess}`);
			return undefined;
		}
		const content = inflateMember(data, size);
		if (typeof content === 'string') {
			this.#addTo(record, 'USDZ008', content);
			return undefined;
		}
		this.#expanded += size;
		return content;
	}

	#rootLayer(entries: readonly UsdzEntry[], isRefused: boolean): UsdzEntry | undefined {
		const root = entries.find((entry) => isLayerName(entry.name));
		if (root === undefined) {
			if (!isRefused) this.#add('USDZ016', 'the package holds no layer that can be read', undefined);
		} else if (root !== entries[0]) {
			const message = `the first member is ${quote(entries[0]!.name)}, expected a usd, usda or usdc file; ${quote(root.name)} is used`;
			this.#add('USDZ014', message, entries[0]!.offset);
		}
		return root;
	}

	#add(code: UsdCode, message: string, byteOffset: number | undefined, file = this.#file): void {
		const where = { ...(file === undefined ? {} : { file }), ...(byteOffset === undefined ? {} : { byteOffset }) };
		this.#report.add(createDiagnostic(code, message, where));
	}

	#addTo(record: ZipRecord, code: UsdCode, message: string): void {
		const file = this.#file === undefined ? undefined : joinPackageRelativePath(this.#file, record.name);
		this.#add(code, message, record.headerOffset, file);
	}
}

function hex(value: number): string {
	return `0x${value.toString(16).padStart(8, '0')}`;
}
