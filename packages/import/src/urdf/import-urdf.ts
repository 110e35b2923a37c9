import { quote, Report, UsageRangeError } from '@manyworlds/core';
import { transformMultiply } from '@manyworlds/core/internal';
import { readUrdf, type UrdfLink, type UrdfRobot } from '@manyworlds/formats';
import { type CollapseResult, type ModelBuilder, ShapeFlags, WORLD } from '@manyworlds/model';
import { addRootJoint, checkRootOptions, collapseMasslessRoots, joinArticulation } from '../attach-root.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { filterJoinedParts } from '../filter-joined-parts.ts';
import { Ledger } from '../ledger.ts';
import { toTransformArray } from '../transform-input.ts';
import { addJoints, addMimics } from './add-joints.ts';
import { addLinks } from './add-links.ts';
import { axisRotation, filterSelfCollisions } from './add-shapes.ts';
import { IMPORT_URDF_DEFAULTS, type ImportUrdfOptions, type ImportUrdfSettings } from './options.ts';
import { UrdfContext } from './urdf-context.ts';
import { UrdfLedger } from './urdf-ledger.ts';
import { type UrdfTree, urdfTrees } from './urdf-trees.ts';

/** What {@link importUrdf} gives. @public */
export interface ImportUrdfResult {
	readonly report: Report;
	readonly ledger: Ledger;
	/** Name that the robot has in the file. */
	readonly robotName: string | undefined;
	/** Body of each link by name; links merged by a collapse have the body they are part of. */
	readonly linkBodies: ReadonlyMap<string, number>;
	/** Joint of the builder by name in the file; those that a collapse removed are missing. */
	readonly jointIndices: ReadonlyMap<string, number>;
	/** Joints that hold the robot, one for each root link. */
	readonly rootJoints: readonly number[];
	readonly collapse: CollapseResult | undefined;
}

/**
 * Adds the robot of a URDF file to a builder. `source` is the text or the bytes of the file; `file` and `store` of
 * the options find its meshes.
 *
 * What is wrong with the file is reported and left out, the rest is imported; every attribute is accounted for in the
 * ledger. Only options that contradict each other throw.
 *
 * ```ts
 * const builder = new ModelBuilder();
 * const { report, ledger } = importUrdf(text, builder, { floating: true, xform: { p: [0, 0, 1] } });
 * const model = builder.finalize();
 * ```
 * @public
 */
export function importUrdf(
	source: string | Uint8Array,
	builder: ModelBuilder,
	options: ImportUrdfOptions = {},
): ImportUrdfResult {
	const settings = resolveUrdfOptions(options);
	checkRootOptions(builder, settings);
	if (settings.overrideRootXform && settings.xform === undefined) {
		throw new UsageRangeError('overrideRootXform is true, expected xform to be given');
	}
	const report = settings.report ?? new Report();
	const ledger = settings.ledger ?? new Ledger();
	const text = typeof source === 'string' ? source.trimStart() : source;
	const { robot, xml } = readUrdf(text, {
		report,
		...(settings.file === undefined ? {} : { file: settings.file }),
	});
	if (robot === undefined) {
		// what is not read is accounted for all the same
		if (xml.root !== undefined) new UrdfLedger(ledger, xml.root).ignoreAll(xml.root, 'the file is not imported');
		return {
			report,
			ledger,
			robotName: undefined,
			linkBodies: new Map(),
			jointIndices: new Map(),
			rootJoints: [],
			collapse: undefined,
		};
	}
	return addRobot(new UrdfContext(builder, settings, robot, report, new UrdfLedger(ledger, robot.element)), ledger);
}

function resolveUrdfOptions(options: ImportUrdfOptions): ImportUrdfSettings {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	return { ...IMPORT_URDF_DEFAULTS, ...Object.fromEntries(given) };
}

function addRobot(context: UrdfContext, ledger: Ledger): ImportUrdfResult {
	const { builder, options, robot, report } = context;
	context.ledger.use(robot.element, 'name');
	const trees = chosenTrees(context, urdfTrees(robot, options.jointOrdering, report));
	const shapeStart = builder.shapeCount;
	const first = { body: builder.bodyCount, joint: builder.jointCount, shape: shapeStart };
	const bodies = addLinks(context, linksOf(context, trees));
	const shapeEnd = builder.shapeCount;
	const joints = new Map<string, number>();
	const rootJoints: number[] = [];
	const allJoints: number[] = [];
	for (const tree of trees) {
		const root = addRoot(context, tree, bodies.get(tree.root.name)!);
		const added = addJoints(context, tree.joints, bodies);
		rootJoints.push(root);
		allJoints.push(root, ...added.values());
		for (const [name, index] of added) joints.set(name, index);
		joinArticulation(builder, [root, ...added.values()], {
			parentBody: options.parentBody ?? WORLD,
			label: robot.name ?? '',
			attributes: context.attributes(robot.element, 'articulation'),
		});
	}
	addMimics(
		context,
		trees.flatMap((tree) => tree.joints),
		joints,
	);
	if (!options.enableSelfCollisions) {
		filterSelfCollisions(builder, { start: shapeStart, end: shapeEnd }, ShapeFlags.COLLIDE_SHAPES);
	}
	if (options.filterJoinedParts ?? !options.newtonCompat) filterJoinedParts(builder, { ...first, includesFixed: true });
	const collapse = options.collapseFixedJoints
		? builder.collapseFixedJoints()
		: options.collapseMasslessFixedRoot
			? collapseMasslessRoots(builder, allJoints)
			: undefined;
	context.ledger.settle(builder, collapse);
	ignoreRest(context, robot, trees);
	return {
		report,
		ledger,
		robotName: robot.name,
		linkBodies: remapped(bodies, (body) => bodyAfter(body, collapse)),
		jointIndices: remapped(joints, (joint) => (collapse === undefined ? joint : collapse.jointRemap.get(joint))),
		rootJoints: rootJoints.flatMap((joint) =>
			collapse === undefined ? joint : (collapse.jointRemap.get(joint) ?? []),
		),
		collapse,
	};
}

/** The trees that are imported: the first one with Newton, which knows no others. */
function chosenTrees(context: UrdfContext, trees: readonly UrdfTree[]): readonly UrdfTree[] {
	const [first, ...others] = trees;
	if (first === undefined || others.length === 0) return trees;
	const isOne = context.options.newtonCompat || (context.options.parentBody ?? WORLD) !== WORLD;
	for (const { root, links } of others) {
		const what = isOne ? 'are left out' : 'are imported as a robot of their own';
		const message = `link ${quote(root.name)} is a second root beside ${quote(first.root.name)}, expected one; its ${links.length} links ${what}`;
		context.report.add(createDiagnostic('URDF006', message, { ...root.element.location, severity: 'warning' }));
	}
	return isOne ? [first] : trees;
}

/**
 * The links of trees in the order of bodies. Where Newton does not go by joints it makes a body of every link, also of
 * those that no joint holds.
 */
function linksOf({ options, robot }: UrdfContext, trees: readonly UrdfTree[]): readonly UrdfLink[] {
	const inOrder = trees.flatMap((tree) => tree.links);
	const followsJoints = options.bodiesFollowJointOrdering && robot.joints.length > 0;
	if (followsJoints || (options.bodiesFollowJointOrdering && !options.newtonCompat)) return inOrder;
	const chosen = new Set(inOrder);
	return options.newtonCompat ? robot.links : robot.links.filter((link) => chosen.has(link));
}

function addRoot(context: UrdfContext, tree: UrdfTree, child: number): number {
	const { builder, options } = context;
	const xform = rootTransform(context);
	const isFloating = options.floating === true;
	const name = options.baseJoint !== undefined ? 'base_joint' : isFloating ? 'floating_base' : 'fixed_base';
	// the rotation stands on the side of the child, so that the axes of a joint of the caller stay where they are
	const isSplit = options.baseJoint !== undefined && !options.overrideRootXform;
	const frames = isSplit
		? {
				parentXform: Float64Array.of(xform[0]!, xform[1]!, xform[2]!, 0, 0, 0, 1),
				childXform: Float64Array.of(0, 0, 0, -xform[3]!, -xform[4]!, -xform[5]!, xform[6]!),
			}
		: { parentXform: xform };
	const joint = addRootJoint(builder, { child, label: context.label(name), ...frames }, options, isFloating);
	if (isFloating && options.baseJoint === undefined) {
		builder.column('jointQ').set(xform, builder.column('jointQStart')[joint]!);
	}
	context.ledger.computed(
		{ array: 'joint_X_p', entity: 'joint', index: joint },
		{ source: 'importer default', why: `the root link ${quote(tree.root.name)} is held by the options of the import` },
	);
	return joint;
}

/** The pose of the root in the axes of the builder. */
function rootTransform({ builder, options }: UrdfContext): Float64Array {
	const turn = Float64Array.of(0, 0, 0, ...axisRotation(options.upAxis, builder.upAxis));
	return transformMultiply(new Float64Array(7), toTransformArray(options.xform), turn);
}

/** Says why elements that were read have no part in the model. */
function ignoreRest(context: UrdfContext, robot: UrdfRobot, trees: readonly UrdfTree[]): void {
	const links = new Set(trees.flatMap((tree) => tree.links).map((link) => link.element));
	const joints = new Set(trees.flatMap((tree) => tree.joints).map((joint) => joint.element));
	for (const element of robot.element.childrenNamed('link')) {
		if (!links.has(element)) context.ledger.ignoreAll(element, 'the link is left out');
	}
	for (const element of robot.element.childrenNamed('joint')) {
		if (!joints.has(element)) context.ledger.ignoreAll(element, 'the joint is left out');
	}
}

function bodyAfter(body: number, collapse: CollapseResult | undefined): number | undefined {
	if (collapse === undefined) return body;
	return collapse.bodyRemap.get(body) ?? collapse.bodyRemap.get(collapse.bodyMergedParent.get(body) ?? WORLD);
}

function remapped(map: ReadonlyMap<string, number>, remap: (index: number) => number | undefined): Map<string, number> {
	const out = new Map<string, number>();
	for (const [name, index] of map) {
		const now = remap(index);
		if (now !== undefined) out.set(name, now);
	}
	return out;
}
