import {
	checkAnchors,
	checkDummyFrames,
	checkFrameSchemas,
	checkInertia,
	checkKinematic,
	checkMass,
	checkSixNumbers,
	checkStaticProps,
} from './body-physics.ts';
import {
	checkArticulationRoots,
	checkJointLimits,
	checkJointPlacement,
	checkJointRelationships,
	checkLoops,
	checkMissingRoots,
	checkParallelJoints,
	checkPruning,
} from './joint-physics.ts';
import type { Statement } from './statement.ts';
import { vendorVisit } from './vendor-opinions.ts';

const must = { section: '1.3', level: 'must', check: 'static' } as const;
const behaviour = { section: '1.3', level: 'tool', check: 'behaviour' } as const;

/** REP 1.3: physics of bodies and joints. */
export const SECTION_1_3: readonly Statement[] = [
	{ id: 'R1.3.1', ...must, level: 'should', visit: checkJointPlacement },
	{ id: 'R1.3.2', ...behaviour, heldBy: 'packages/rep158/test/joint-graph.test.ts' },
	{
		id: 'R1.3.3',
		...must,
		visit: checkJointLimits,
	},
	{ id: 'R1.3.4', ...must, visit: checkArticulationRoots },
	{ id: 'R1.3.5', ...must, level: 'should', visit: checkMissingRoots },
	{ id: 'R1.3.6', ...must, level: 'should', visit: checkPruning },
	{ id: 'R1.3.7', ...must, visit: checkParallelJoints },
	{ id: 'R1.3.8', ...must, visit: checkLoops },
	{ id: 'R1.3.9', ...behaviour, heldBy: 'packages/rep158/test/joint-graph.test.ts' },
	{ id: 'R1.3.10', ...must, visit: checkMass },
	{ id: 'R1.3.11', ...must, visit: checkStaticProps },
	{ id: 'R1.3.12', ...must, visit: checkAnchors },
	{ id: 'R1.3.13', ...must, level: 'should', visit: checkKinematic },
	{ id: 'R1.3.14', ...must, level: 'must not', visit: checkDummyFrames },
	{ id: 'R1.3.15', ...must, level: 'should', check: 'heuristic', visit: checkFrameSchemas },
	{ id: 'R1.3.16', ...must, level: 'tool', visit: checkInertia },
	{ id: 'R1.3.17', ...must, level: 'must not', visit: checkSixNumbers },
	{ id: 'R1.3.18', ...must, visit: vendorVisit('R1.3.18') },
	{ id: 'R1.3.19', ...must, visit: vendorVisit('R1.3.19') },
	{ id: 'R1.3.20', ...must, visit: checkJointRelationships },
];
