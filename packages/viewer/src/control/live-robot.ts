import type { Remote } from 'comlink';
import type { AssetSession } from '../asset/asset-session.ts';
import type { FoxgloveClient } from '../recording/foxglove-client.ts';
import type { SimulationPlayer } from '../simulation/simulation-player.ts';

/** What a robot that is listened to is shown with. */
export interface LiveHost {
	readonly session: () => Remote<AssetSession>;
	readonly player: SimulationPlayer;
	/** Told why a connection ended; undefined when it was asked to. */
	readonly onEnd: (problem: string | undefined) => void;
}

/** A robot that tells of itself over a Foxglove server: its moments go onto the time line as they come. */
export class LiveRobot {
	readonly #host: LiveHost;
	#client: FoxgloveClient | undefined;

	constructor(host: LiveHost) {
		this.#host = host;
	}

	get isConnected(): boolean {
		return this.#client !== undefined;
	}

	/** Rejects with a sentence for what is not an address. */
	async connect(address: string): Promise<void> {
		this.disconnect();
		if (!/^wss?:\/\//.test(address)) throw new Error(`'${address}' is not an address that begins with ws`);
		const { FoxgloveClient } = await import('../recording/foxglove-client.ts');
		const { player, session, onEnd } = this.#host;
		await player.follow(address);
		let isBusy = false;
		this.#client = new FoxgloveClient(address, {
			onMoment: async (time, { points, ...moment }) => {
				// a moment that comes while one is worked out is left out: another one follows
				if (isBusy) return;
				isBusy = true;
				const posed = await session()
					.poseFrom(moment)
					.finally(() => {
						isBusy = false;
					});
				if (player.source === address) player.append({ time, points, ...posed });
			},
			onEnd: (problem) => {
				this.#client = undefined;
				onEnd(problem);
			},
		});
	}

	disconnect(): void {
		this.#client?.close();
		this.#client = undefined;
	}
}
