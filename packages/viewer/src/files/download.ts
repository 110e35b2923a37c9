import { zipSync } from 'fflate';
import { unshared } from './shared-files.ts';

/** Offers files for download: one as it is, several as a zip; the file without a name gets the given one. */
export function download(name: string, files: ReadonlyMap<string, Uint8Array>): void {
	const only = files.size === 1 ? files.get('') : undefined;
	const stem = name.replace(/\.[^.]*$/, '');
	const bytes =
		only ?? zipSync(Object.fromEntries([...files].map(([path, content]) => [path === '' ? name : path, content])));
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([unshared(bytes)]));
	link.download = only === undefined ? `${stem}.zip` : name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
