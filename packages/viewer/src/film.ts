import { download } from './files/download.ts';

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
	toggle(): void {
		if (this.#recorder !== undefined) {
			this.#recorder.stop();
			this.#recorder = undefined;
			return;
		}
		const pieces: Blob[] = [];
		const recorder = new MediaRecorder(this.#stream(), { mimeType: 'video/webm' });
		recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
		recorder.addEventListener('stop', async () => {
			download('robot.webm', new Map([['', new Uint8Array(await new Blob(pieces).arrayBuffer())]]));
		});
		recorder.start();
		this.#recorder = recorder;
	}
}
