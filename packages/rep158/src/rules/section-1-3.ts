import type { Rule, RuleFix } from '../rule.ts';
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
import { vendorVisit } from './vendor-opinions.ts';

const ROOTS: RuleFix = { family: 'F13', safety: 'safe' };
const LOOPS: RuleFix = { family: 'F12', safety: 'safe' };
const MASS: RuleFix = { family: 'F14', safety: 'unsafe' };
const FRAMES: RuleFix = { family: 'F16', safety: 'safe' };
const INERTIA: RuleFix = { family: 'F17', safety: 'safe' };
const must = { section: '1.3', level: 'must', check: 'static' } as const;
const behaviour = { section: '1.3', level: 'tool', check: 'behaviour' } as const;

/** REP 1.3: physics of bodies and joints. */
export const SECTION_1_3: readonly Rule[] = [
	{ id: 'R1.3.1', ...must, level: 'should', fix: { family: 'F27', safety: 'unsafe' }, visit: checkJointPlacement },
	{ id: 'R1.3.2', ...behaviour, heldBy: 'packages/rep158/test/joint-graph.test.ts' },
	{
		id: 'R1.3.3',
		...must,
		fix: { family: 'F11', safety: 'unsafe', parameter: '--limits' },
		visit: checkJointLimits,
	},
	{ id: 'R1.3.4', ...must, fix: ROOTS, visit: checkArticulationRoots },
	{ id: 'R1.3.5', ...must, level: 'should', fix: ROOTS, visit: checkMissingRoots },
	{ id: 'R1.3.6', ...must, level: 'should', fix: ROOTS, visit: checkPruning },
	{ id: 'R1.3.7', ...must, fix: LOOPS, visit: checkParallelJoints },
	{ id: 'R1.3.8', ...must, fix: LOOPS, visit: checkLoops },
	{ id: 'R1.3.9', ...behaviour, heldBy: 'packages/rep158/test/joint-graph.test.ts' },
	{ id: 'R1.3.10', ...must, fix: MASS, visit: checkMass },
	{ id: 'R1.3.11', ...must, fix: MASS, visit: checkStaticProps },
	{ id: 'R1.3.12', ...must, fix: { family: 'F15', safety: 'safe' }, visit: checkAnchors },
	{ id: 'R1.3.13', ...must, level: 'should', fix: { family: 'F14', safety: 'unsafe' }, visit: checkKinematic },
	{ id: 'R1.3.14', ...must, level: 'must not', fix: FRAMES, visit: checkDummyFrames },
	{ id: 'R1.3.15', ...must, level: 'should', check: 'heuristic', fix: FRAMES, visit: checkFrameSchemas },
	{ id: 'R1.3.16', ...must, level: 'tool', fix: INERTIA, visit: checkInertia },
	{ id: 'R1.3.17', ...must, level: 'must not', fix: INERTIA, visit: checkSixNumbers },
	{ id: 'R1.3.18', ...must, fix: { family: 'F1', safety: 'safe' }, visit: vendorVisit('R1.3.18') },
	{ id: 'R1.3.19', ...must, fix: { family: 'F4', safety: 'safe' }, visit: vendorVisit('R1.3.19') },
	{ id: 'R1.3.20', ...must, visit: checkJointRelationships },
];
