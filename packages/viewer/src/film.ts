import { download } from './files/download.ts';

/** Kinds of videos, with what they are called on the web. */
export const FILM_KINDS = { webm: 'video/webm', mp4: 'video/mp4' } as const;
export type FilmKind = keyof typeof FILM_KINDS;

/** Kinds that this browser can write. */
export function filmKinds(): FilmKind[] {
	return (Object.keys(FILM_KINDS) as FilmKind[]).filter((kind) => MediaRecorder.isTypeSupported(FILM_KINDS[kind]));
}

/** Takes a video of a picture. */
export class Film {
	readonly #stream: () => MediaStream;
	#recorder: MediaRecorder | undefined;

	constructor(stream: () => MediaStream) {
		this.#stream = stream;
	}

	get isRunning(): boolean {
		return this.#recorder !== undefined;
	}

	/** Starts, or ends and offers the video for download. */
	toggle(kind: FilmKind): void {
		if (this.#recorder !== undefined) {
			this.#recorder.stop();
			this.#recorder = undefined;
			return;
		}
		const pieces: Blob[] = [];
		const recorder = new MediaRecorder(this.#stream(), { mimeType: FILM_KINDS[kind] });
		recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
		recorder.addEventListener('stop', async () => {
			download(`robot.${kind}`, new Map([['', new Uint8Array(await new Blob(pieces).arrayBuffer())]]));
		});
		recorder.start();
		this.#recorder = recorder;
	}
}
