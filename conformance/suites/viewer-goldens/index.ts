import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modelOf, type OpenedModel, openAsset } from 'manyworlds';
import { decodePicture } from '../../../packages/viewer/test/picture-difference.ts';
import type { Case, Group, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { ViewerSession } from '../../src/viewer-session.ts';
import { findRobots, type RobotFile } from '../run-robots/find-robots.ts';
import { coverageFault, projectLinks } from './link-map.ts';
import { observeRobot, type ShownRobot } from './observe-robot.ts';
import { OVERLAY_TOLERANCE, overlayFault } from './overlay-numbers.ts';
import { pictureFault } from './picture-fault.ts';

/** Pictures by the name of the case. */
const GOLDEN = join(import.meta.dirname, '../../golden/viewer');

/** What robots look like in the viewer: pictures, which link is where, what is drawn over them. */
export const viewerGoldens: Suite = {
	name: 'viewer/goldens',
	description: 'pictures of robots in the viewer, which link is seen where, and the numbers of what is drawn over them',
	defaultDir: 'assets/usd-converted',
	groups: [
		group('quiet', 'it is shown, and the console has no error', 'exact', ({ shown }) =>
			shown.errors.length === 0 ? undefined : `the page failed: ${shown.errors[0]}`,
		),
		group(
			'pictures',
			'it looks like the committed picture, and each link has its colour',
			'0.1 % of the pixels by more than a tenth; mean colour of each link 4 of 255',
			({ shown }, { name }) => comparePicture(shown, name),
		),
		group(
			'coverage',
			'each link is seen in the pixels to which its shapes project',
			'pixels on edges: 3 and 0.15 for each pixel of the width of a link',
			({ shown, opened: { model, start } }, { format }) =>
				format === 'mjcf'
					? { skipped: 'MuJoCo shows geoms by their groups, which models do not have' }
					: coverageFault(shown.map, projectLinks(model, start, shown.camera), (link) => `'${shown.links[link]}'`),
		),
		group(
			'overlays',
			'axes, limits, centres of mass, boxes of inertia and colliders are drawn where the model has them',
			`${OVERLAY_TOLERANCE} m`,
			({ shown, opened: { model, start } }) => overlayFault(shown, model, start),
			true,
		),
	],
};

/** A robot in the page, and its model as the library has it without one. */
interface Seen {
	readonly shown: ShownRobot;
	readonly opened: OpenedModel;
}

function group(
	name: string,
	description: string,
	tolerance: string,
	compare: (seen: Seen, robot: RobotFile) => Outcome,
	isLast = false,
): Group {
	return {
		name,
		description,
		tolerance,
		timeLimit: 120,
		*cases(context: SuiteContext): Generator<Case> {
			const gallery = galleryOf(context);
			for (const robot of findRobots(context.dir, true)) {
				yield {
					name: robot.name,
					run: async () => {
						const seen = await gallery.see(robot.path);
						return 'skipped' in seen || 'excluded' in seen ? seen : compare(seen, robot);
					},
				};
			}
			if (isLast) void gallery.close();
		},
	};
}

const galleries = new WeakMap<SuiteContext, Gallery>();

/** The robots of a run: groups look at the same pages. */
function galleryOf(context: SuiteContext): Gallery {
	let gallery = galleries.get(context);
	if (gallery === undefined) galleries.set(context, (gallery = new Gallery()));
	return gallery;
}

class Gallery {
	readonly #session = new ViewerSession();
	readonly #seen = new Map<string, Promise<Seen | { skipped: string } | { excluded: string }>>();

	see(path: string): Promise<Seen | { skipped: string } | { excluded: string }> {
		let seen = this.#seen.get(path);
		if (seen === undefined) this.#seen.set(path, (seen = this.#look(path)));
		return seen;
	}

	async close(): Promise<void> {
		await this.#session.close();
	}

	async #look(path: string): Promise<Seen | { skipped: string } | { excluded: string }> {
		const page = await this.#session.open(path);
		if (typeof page === 'string') return { skipped: page };
		const opened = await modelOf(await openAsset(path));
		if (opened.start.bodyQ.length === 0) return { excluded: 'it has no links' };
		const shown = await observeRobot(page);
		if (shown.problem !== undefined) throw new Error(`it is refused: ${shown.problem}`);
		return { shown, opened };
	}
}

/** Compares with the committed picture; `UPDATE_GOLDEN=1` writes it. */
function comparePicture({ picture, map, links }: ShownRobot, name: string): Outcome {
	const file = join(GOLDEN, `${name}.png`);
	if (process.env['UPDATE_GOLDEN'] === '1') {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, picture);
	}
	if (!existsSync(file)) return { skipped: `no picture of it is committed` };
	return pictureFault(decodePicture(picture), decodePicture(readFileSync(file)), map, (link) => `'${links[link]}'`);
}
