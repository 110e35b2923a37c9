import { ContentHash } from '@manyworlds/model/internal';
import type { MjVFS, MujocoModule } from './mujoco-module.ts';

/**
 * Lets the engine read files while `use` runs, which is given their folder. They are put into its file system: handing
 * them over as buffers takes about a microsecond for each byte. The engine remembers the meshes it has read by path, so
 * the folder is named after the content.
 */
export function withFiles<T>(
	module: MujocoModule,
	files: ReadonlyMap<string, Uint8Array>,
	use: (folder: string) => T,
): T {
	const hash = new ContentHash();
	for (const [name, content] of files) {
		hash.text(name);
		hash.numbers(content);
	}
	const { FS } = module;
	const folder = `/manyworlds-${hash.digits()}`;
	const written: string[] = [];
	FS.mkdir(folder);
	try {
		for (const [name, content] of files) {
			const path = `${folder}/${name}`;
			FS.writeFile(path, content, { canOwn: true });
			written.push(path);
		}
		return use(folder);
	} finally {
		for (const path of written) FS.unlink(path);
		FS.rmdir(folder);
	}
}

const NO_FILES = new WeakMap<MujocoModule, MjVFS>();

/** A file system without files, the same one for every call: each that is made loses 16 bytes of the engine's memory. */
export function noFiles(module: MujocoModule): MjVFS {
	const known = NO_FILES.get(module) ?? new module.MjVFS();
	NO_FILES.set(module, known);
	return known;
}
