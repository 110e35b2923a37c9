import type { ConvertFormat } from 'manyworlds';
import { download } from '../files/download.ts';
import { encloseFiles } from '../files/enclosed-files.ts';
import { fetched } from '../files/fetch-folder.ts';
import { Film, type FilmKind } from '../film.ts';
import type { SceneView } from '../view/scene-view.ts';
import type { AssetOpener } from './asset-opener.ts';
import type { WorkStatus } from './work-status.ts';

/** What is exported. */
export interface ExportHost {
	readonly opener: AssetOpener;
	readonly status: WorkStatus;
	readonly view: SceneView;
	readonly tell: () => void;
}

/** Offers an asset for download: in other formats, as pictures, as videos, as it is. */
export class AssetExporter {
	readonly #host: ExportHost;
	readonly #film: Film;

	constructor(host: ExportHost) {
		this.#host = host;
		this.#film = new Film(() => host.view.stream());
	}

	async exportTo(format: ConvertFormat, extension: string): Promise<void> {
		const { opener, status } = this.#host;
		await status.try(`writing ${format}`, async () => {
			const { files } = await opener.session.convert(format);
			download(`${opener.stem}.${extension}`, files);
		});
	}

	downloadFiles(): void {
		const { opener } = this.#host;
		download(`${opener.stem}.zip`, opener.files.current);
	}

	/** Offers a page of one file with the robot and the viewer in it: it opens without a network, and without a server. */
	async exportPage(): Promise<void> {
		const { opener, status } = this.#host;
		const entry = opener.asset?.entry;
		if (entry === undefined) return;
		await status.try('writing a page', async () => {
			const page = await (await fetched('./alone.html')).text();
			const text = encloseFiles(page, opener.files.current, entry);
			download(`${opener.stem}.html`, new Map([['', new TextEncoder().encode(text)]]));
		});
	}

	async screenshot(): Promise<void> {
		const blob = await this.#host.view.screenshot();
		download('robot.png', new Map([['', new Uint8Array(await blob.arrayBuffer())]]));
	}

	/** Whether a video is being taken. */
	get isFilming(): boolean {
		return this.#film.isRunning;
	}

	/** Starts a video of the picture, or ends it and offers it for download. */
	film(kind: FilmKind): void {
		this.#film.toggle(kind);
		this.#host.tell();
	}
}
