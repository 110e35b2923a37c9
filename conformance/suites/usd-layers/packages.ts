import { basename, dirname } from 'node:path';
import { readBytes } from '../../src/files.ts';
import { BAD_NAME, listLayers } from '../../src/layer-files.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { type PackageMember, packMembers, unpackMembers } from '../../src/usd-io.ts';
import { zipEntries } from '../../src/zip-entries.ts';

/** Layers in packages and out again. */
export const packages: Group = {
	name: 'usdz',
	description:
		'every layer of the suite and of --assets, packaged as root with a second file: stored, aligned to 64 bytes, root first, the same bytes when read back; packages found are re-packed',
	tolerance: 'none',
	timeLimit: 30,
	*cases(context: SuiteContext): Generator<Case> {
		for (const [dir, prefix] of [
			[context.dir, ''],
			[context.assetsDir, 'assets/'],
		] as const) {
			for (const file of listLayers(dir)) {
				if (BAD_NAME.test(basename(file.path))) continue;
				const run = file.kind === 'package' ? checkPackage : checkLayer;
				yield { name: prefix + file.name, run: () => run(file.path) };
			}
		}
	},
};

function checkLayer(path: string): Outcome {
	const bytes = readBytes(path);
	const root = { name: `${basename(path).replace(/\.[^.]*$/, '')}.usd`, bytes };
	// a short file in front of others shifts what follows it by an odd number of bytes
	const note = { name: 'textures/note.txt', bytes: new TextEncoder().encode(basename(dirname(path))) };
	return checkMembers([root, note, { name: 'sub/copy.usd', bytes }]);
}

function checkPackage(path: string): Outcome {
	return checkMembers(unpackMembers(readBytes(path), path));
}

function checkMembers(members: readonly PackageMember[]): Outcome {
	const packed = packMembers(members);
	const entries = zipEntries(packed);
	if (entries.length !== members.length) return `${entries.length} entries, expected ${members.length}`;
	for (const [i, entry] of entries.entries()) {
		const member = members[i]!;
		if (entry.name !== member.name) return `entry ${i} is '${entry.name}', expected '${member.name}'`;
		if (entry.method !== 0) return `'${entry.name}' has the compression method ${entry.method}, expected 0`;
		if ((entry.flags & 1) !== 0) return `'${entry.name}' is encrypted`;
		if (entry.dataOffset % 64 !== 0) return `data of '${entry.name}' at ${entry.dataOffset}, expected a multiple of 64`;
		if (entry.size !== member.bytes.length)
			return `'${entry.name}' has ${entry.size} bytes, expected ${member.bytes.length}`;
		const stored = packed.subarray(entry.dataOffset, entry.dataOffset + entry.size);
		if (Buffer.compare(stored, member.bytes) !== 0) return `'${entry.name}' holds other bytes`;
	}
	const back = unpackMembers(packed, 'written.usdz');
	if (back.length !== members.length) return `${back.length} members read back, expected ${members.length}`;
	for (const [i, member] of members.entries()) {
		if (back[i]!.name !== member.name) return `member ${i} reads back as '${back[i]!.name}', expected '${member.name}'`;
		if (Buffer.compare(back[i]!.bytes, member.bytes) !== 0) return `'${member.name}' reads back with other bytes`;
	}
	return undefined;
}
