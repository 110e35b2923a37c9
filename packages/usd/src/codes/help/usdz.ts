import type { CodeHelp } from '@manyworlds/core/internal';
import type { USDZ_CODES } from '../usdz.ts';

/** What to do about the codes of the package (zip) reader and writer. */
export const USDZ_HELP: Readonly<Record<keyof typeof USDZ_CODES, CodeHelp>> = {
	USDZ001: {
		title: 'Not a usdz package',
		help: 'The file has no zip directory, so its members are not listed anywhere. It is cut off, as by a copy or download that did not finish, or not a zip file at all. Members that still follow each other from the start of the file are read.',
	},
	USDZ002: {
		title: 'Damaged zip directory',
		help: 'The directory at the end of the package ends early, lies outside the file or lists something that is no member. Members listed before the damage are read.',
	},
	USDZ003: {
		title: 'Zip64 package',
		help: 'Packages of 4 GiB and more need the zip64 extension, which usdz does not allow. Split the package, or keep large files beside it.',
	},
	USDZ004: {
		title: 'Package exceeds a limit',
		help: 'Reading the package would take more entries or more memory than the limits allow; a small file that expands to a huge one is a common attack. Raise the limits if you trust the file.',
	},
	USDZ005: {
		title: 'Unsafe member name',
		help: 'Names of members are paths below the package, with forward slashes. An absolute path, a drive letter, a backslash, `..` or a NUL could reach files outside it, so the member is not read.',
	},
	USDZ006: {
		title: 'Encrypted member',
		help: 'A usdz package may not be encrypted. Write the package again without a password.',
	},
	USDZ007: {
		title: 'Unknown compression',
		help: 'Members of a usdz package are stored. Deflated members are read all the same; no other method is known.',
	},
	USDZ008: {
		title: 'Damaged member',
		help: 'The member lies outside the file, has no header of its own, or its compressed data cannot be expanded. The package was probably truncated or changed on its way; write it again.',
	},
	USDZ009: {
		title: 'Wrong checksum',
		help: 'The content of the member is not what its checksum was made from. It is read all the same, but something in it differs from what was packed.',
	},
	USDZ010: {
		title: 'Member occurs twice',
		help: 'Two members have the same name. The first one is used, as OpenUSD does.',
	},
	USDZ011: {
		title: 'Members overlap',
		help: 'Two members share bytes of the file, which no packer does and some attacks do. The later one is not read.',
	},
	USDZ012: {
		title: 'Compressed member',
		help: 'Members of a usdz package must be stored, so that they can be used in place. OpenUSD refuses this member; write the package again to have it stored.',
	},
	USDZ013: {
		title: 'Misaligned member',
		help: 'The data of a usdz member must start at a multiple of 64 bytes, so that arrays can be used in place. Write the package again to have it aligned.',
	},
	USDZ014: {
		title: 'First member is not a layer',
		help: 'The first member of a package is its root layer and must be a usd, usda or usdc file. The first layer found is taken instead; OpenUSD would refuse the package.',
	},
	USDZ015: {
		title: 'Bytes that belong to no member',
		help: 'A usdz package starts with its first member and ends with its directory, without a comment. Something stands in front of or behind that.',
	},
	USDZ016: {
		title: 'Package without a layer',
		help: 'No member of the package is a usd, usda or usdc file that can be read, so there is nothing to open.',
	},
	USDZ017: {
		title: 'No such member',
		help: 'The package has no member with this name. Names are case-sensitive and relative to the root of the package.',
	},
};
