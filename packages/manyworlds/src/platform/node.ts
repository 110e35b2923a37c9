import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageDecoder } from '@manyworlds/image';
import { loadWebp } from '@manyworlds/image/webp';
import { FileStore, GitCache, RosPackages, SceneStore } from '@manyworlds/node';
import { robotFolders, toSlashes } from '@manyworlds/node/internal';
import { FetchStore } from '@manyworlds/usd';
import type { WorkerHost } from '@manyworlds/worlds';
import type { OpenAssetOptions, OpenedFiles } from '../front/asset.ts';
import { isSceneFile } from '../front/is-scene-file.ts';
import { NodeWorkerHost } from '../threads/node-worker-host.ts';

/** Files on disk by path, or behind an address. */
export function openFiles(input: string | URL, options: OpenAssetOptions): OpenedFiles {
	const text = String(input);
	if (/^https?:\/\//i.test(text)) {
		const store = new FetchStore((url) => fetch(url), { network: [text.slice(0, text.lastIndexOf('/') + 1)] });
		return { store, identifier: text };
	}
	const path = /^file:/i.test(text) ? fileURLToPath(text) : resolve(text);
	const identifier = toSlashes(path);
	const roots = options.roots ?? [];
	const packages = new RosPackages({ folders: new Map(Object.entries(options.packages ?? {})), env: process.env });
	if (!isSceneFile(path)) {
		const store = new FileStore({ roots: [dirname(path), ...robotFolders(path), ...roots], packages });
		return { store, identifier };
	}
	const cwd = process.cwd();
	const store = new SceneStore({ file: path, cwd, roots, packages });
	const cache = new GitCache({ env: process.env, cwd });
	return {
		store,
		identifier,
		checkout: (source) => {
			const done = cache.checkout(source);
			if ('code' in done) return { failure: `${done.message} (${done.code})` };
			store.allow(done.folder);
			return { folder: toSlashes(done.folder) };
		},
	};
}

/** What starts threads that step worlds. */
export function threadHost(): WorkerHost | undefined {
	return new NodeWorkerHost();
}

export function processorCount(): number {
	return availableParallelism();
}

/** The WebP decoder, with its WebAssembly read from the installed package. */
export function loadWebpCodec(): Promise<ImageDecoder> {
	return loadWebp(readFileSync(createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm')));
}
