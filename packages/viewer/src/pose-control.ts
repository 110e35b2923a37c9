import type { Remote } from 'comlink';
import type { AssetSession } from './asset/asset-session.ts';
import type { RobotParts } from './asset/asset-types.ts';

/** What a pose is asked of, and who is told of it. */
export interface PoseHost {
	readonly session: () => Remote<AssetSession>;
	/** Draws links where they are. */
	readonly place: (poses: Float32Array, coordinates: Float64Array) => void;
	readonly tell: () => void;
	readonly fail: (error: unknown) => void;
}

/** What is asked next: coordinates, or a point of a link that should come to a place. */
type Wish =
	| { readonly coordinates: Float64Array }
	| { readonly link: number; readonly point: readonly number[]; readonly target: readonly [number, number, number] };

/** Where the joints of a robot are while nothing simulates it: sliders, poses with names, links that are dragged. */
export class PoseControl {
	coordinates: Float64Array = new Float64Array();
	/** Poses that a person kept, by name. */
	saved: ReadonlyMap<string, Float64Array> = new Map();
	readonly #host: PoseHost;
	#robot: RobotParts | undefined;
	#next: Wish | undefined;
	#work: Promise<void> | undefined;
	#drawn = 0;

	constructor(host: PoseHost) {
		this.#host = host;
	}

	/** Takes another robot, at its start. */
	take(robot: RobotParts | undefined, isNew: boolean): void {
		this.#robot = robot;
		this.coordinates = robot?.coordinates ?? new Float64Array();
		if (isNew) this.saved = new Map();
	}

	/** Moves one joint [rad, m]. */
	set(coordinate: number, value: number): void {
		this.coordinates = this.coordinates.slice();
		this.coordinates[coordinate] = value;
		this.apply(this.coordinates);
	}

	/** Moves links to joint coordinates; while one pose is worked out, only the newest wish is kept. */
	apply(coordinates: Float64Array): void {
		this.coordinates = coordinates;
		this.#ask({ coordinates });
	}

	/** Brings a point of a link, given in its frame, as near to a place as joints and limits let it come. */
	reach(link: number, point: readonly number[], target: readonly [number, number, number]): void {
		this.#ask({ link, point, target });
	}

	/** Forgets what was asked of a thread that died. */
	restart(): void {
		this.#next = undefined;
		this.#work = undefined;
	}

	/** Resolves when every wish has been met. */
	async settled(): Promise<void> {
		while (this.#work !== undefined) await this.#work;
	}

	/** Puts every joint at the start, at zero where limits let it be, or anywhere within its limits. */
	go(where: 'start' | 'zero' | 'random'): void {
		const robot = this.#robot;
		if (robot === undefined) return;
		const next = robot.coordinates.slice();
		for (const { lower, upper, coordinate, isFollower, motion } of robot.joints.flatMap(({ freedoms }) => freedoms)) {
			if (where === 'start' || isFollower) continue;
			const [low, high] = [
				Math.max(lower, motion === 'turn' ? -Math.PI : -1),
				Math.min(upper, motion === 'turn' ? Math.PI : 1),
			];
			next[coordinate] = where === 'zero' ? Math.min(Math.max(0, lower), upper) : low + this.#draw() * (high - low);
		}
		this.apply(next);
	}

	/** Goes to a pose that a person kept or that a file names. */
	async goTo(name: string): Promise<void> {
		const coordinates = this.saved.get(name) ?? (await this.#host.session().namedPose(name));
		if (coordinates !== undefined && coordinates.length === this.coordinates.length) this.apply(coordinates.slice());
	}

	/** Keeps the present pose under a name. */
	save(name: string): void {
		this.saved = new Map([...this.saved, [name, this.coordinates.slice()]]);
		this.#host.tell();
	}

	forget(name: string): void {
		this.saved = new Map([...this.saved].filter(([own]) => own !== name));
		this.#host.tell();
	}

	/** Joints that are not at the start, by label; undefined when none. */
	moved(): Record<string, number> | undefined {
		const { coordinates: start = new Float64Array(), joints = [] } = this.#robot ?? {};
		const moved = joints.flatMap(({ label, freedoms }): [string, number][] => {
			const [freedom, ...others] = freedoms;
			if (freedom === undefined || others.length > 0 || freedom.isFollower) return [];
			const value = this.coordinates[freedom.coordinate]!;
			return value === start[freedom.coordinate] ? [] : [[label, value]];
		});
		return moved.length === 0 ? undefined : Object.fromEntries(moved);
	}

	#ask(wish: Wish): void {
		this.#next = wish;
		if (this.#work !== undefined) return;
		const work = this.#run().finally(() => {
			if (this.#work === work) this.#work = undefined;
		});
		this.#work = work;
	}

	async #run(): Promise<void> {
		try {
			for (let wish = this.#next; wish !== undefined; wish = this.#next) {
				this.#next = undefined;
				const session = this.#host.session();
				const wanted =
					'link' in wish ? await session.reach(this.coordinates, wish.link, wish.point, wish.target) : wish.coordinates;
				const { poses, coordinates } = await session.pose(wanted);
				this.coordinates = coordinates;
				this.#host.place(poses, coordinates);
				this.#host.tell();
			}
		} catch (error) {
			this.#host.fail(error);
		}
	}

	/** Numbers between 0 and 1 that look random and are the same in every session. */
	#draw(): number {
		this.#drawn = (this.#drawn + 0.618033988749895) % 1;
		return this.#drawn;
	}
}
