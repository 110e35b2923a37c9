import type { ImageDecoder } from '@manyworlds/image';
import { loadWebp } from '@manyworlds/image/webp';
import { FetchStore } from '@manyworlds/usd';
import type { WorkerHost } from '@manyworlds/worlds';
import type { OpenAssetOptions, OpenedFiles } from '../front/asset.ts';

declare const location: { readonly href: string };
declare const navigator: { readonly hardwareConcurrency: number };

/** Files behind an address, seen from the page. */
export function openFiles(input: string | URL, _options: OpenAssetOptions): OpenedFiles {
	const identifier = new URL(input, location.href).href;
	const network = [identifier.slice(0, identifier.lastIndexOf('/') + 1)];
	return { store: new FetchStore((url) => fetch(url), { network }), identifier };
}

/** A page brings its own module for workers: see `host` of the simulation's options. */
export function threadHost(): WorkerHost | undefined {
	return undefined;
}

export function processorCount(): number {
	return navigator.hardwareConcurrency;
}

export function loadWebpCodec(): Promise<ImageDecoder> {
	return loadWebp();
}
