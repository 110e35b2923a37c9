import { type UnzipFileInfo, unzipSync } from 'fflate';

/** What a zip may hold before it is refused: an archive must not fill the memory of the page. */
export const ZIP_LIMITS = { entries: 20_000, bytes: 2 ** 31, ratio: 1000 } as const;

/** Files of a zip archive by path. Throws an error with a sentence for people when it is hostile or broken. */
export function readZip(bytes: Uint8Array, name: string): Map<string, Uint8Array> {
	let entries = 0;
	let total = 0;
	let refusal: string | undefined;
	const isWanted = ({ name: path, size, originalSize }: UnzipFileInfo): boolean => {
		entries++;
		total += originalSize;
		if (entries > ZIP_LIMITS.entries) refusal ??= `it has more than ${ZIP_LIMITS.entries} files`;
		else if (total > ZIP_LIMITS.bytes) refusal ??= `its files are larger than ${ZIP_LIMITS.bytes / 2 ** 30} GiB`;
		else if (originalSize > ZIP_LIMITS.ratio * Math.max(size, 1024)) {
			refusal ??= `'${path}' grows from ${size} to ${originalSize} bytes`;
		} else if (isOutside(path)) refusal ??= `'${path}' leads out of the folder`;
		return refusal === undefined && !path.endsWith('/');
	};
	let files: Record<string, Uint8Array>;
	try {
		files = unzipSync(bytes, { filter: isWanted });
	} catch (error) {
		throw new Error(
			`'${name}' is not a zip archive that can be read: ${error instanceof Error ? error.message : error}`,
		);
	}
	if (refusal !== undefined) throw new Error(`'${name}' is refused: ${refusal}`);
	return new Map(Object.entries(files));
}

function isOutside(path: string): boolean {
	return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
}
