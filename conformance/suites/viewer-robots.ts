import { AssetError, modelOf, openAsset } from 'manyworlds';
import type { Case, Outcome, Suite, SuiteContext } from '../src/suite.ts';
import { ViewerSession } from '../src/viewer-session.ts';
import { findRobots } from './run-robots/find-robots.ts';

/** Largest distance of a link in the page from where forward kinematics has it [m]. */
const TOLERANCE = 1e-5;

/** Every robot in the viewer, one after the other in one page. */
export const viewerRobots: Suite = {
	name: 'viewer/robots',
	description: 'every robot of a folder in the viewer, in one session of one page in Chromium',
	defaultDir: '.',
	groups: [
		{
			name: 'shown',
			description:
				'it is shown or refused with a sentence, nothing fails in the page, links stand where forward kinematics has them',
			tolerance: `${TOLERANCE} m`,
			timeLimit: 120,
			*cases({ dir }: SuiteContext): Generator<Case> {
				const session = new ViewerSession();
				for (const { name, path } of findRobots(dir, true)) yield { name, run: () => show(session, path) };
				void session.close();
			},
		},
	],
};

async function show(session: ViewerSession, path: string): Promise<Outcome> {
	const page = await session.open(path);
	if (typeof page === 'string') return { skipped: page };
	const errors = page.errors.splice(0);
	if (errors.length > 0) return `the page failed: ${errors[0]}`;
	const { problem, poses, links } = await page.probe();
	const expected = await posesOf(path);
	if (problem !== undefined) return expected === undefined ? undefined : `it is refused: ${problem}`;
	if (expected === undefined) return links.length === 0 ? undefined : `${links.length} links are shown, expected none`;
	if (poses.length !== expected.length) return `${poses.length / 7} links are shown, expected ${expected.length / 7}`;
	const wrong = links.findIndex((_, link) =>
		[0, 1, 2].some((k) => !(Math.abs(poses[7 * link + k]! - expected[7 * link + k]!) <= TOLERANCE)),
	);
	return wrong < 0 ? undefined : `'${links[wrong]}' is not where forward kinematics has it`;
}

/** Where the links of a robot start; undefined when nothing of it can be simulated. */
async function posesOf(path: string): Promise<number[] | undefined> {
	try {
		const { start } = await modelOf(await openAsset(path));
		return start.bodyQ.length === 0 ? undefined : [...start.bodyQ];
	} catch (error) {
		if (error instanceof AssetError) return undefined;
		throw error;
	}
}
