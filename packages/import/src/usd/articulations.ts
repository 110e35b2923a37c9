import { quote } from '@manyworlds/core';
import { JointType, WORLD } from '@manyworlds/model';
import type { PhysicsArticulation, PhysicsAxisJoint, PhysicsJoint, PhysicsRigidBody, Prim } from '@manyworlds/usd';
import { addRootJoint, joinArticulation } from '../attach-root.ts';
import { rowOf } from '../row-of.ts';
import { addMergedJoints, addUsdJoint, type JointEnds, resolveEnds } from './add-joints.ts';
import { addBody, type PreparedBody, prepareBody } from './bodies.ts';
import type { ImportContext } from './context.ts';
import { readCustomValues } from './custom-values.ts';
import { asBool } from './plain-value.ts';
import { composePoses, identityPose, inversePose, isIdentityPose, type Pose } from './poses.ts';
import { type Edge, sortEdges } from './topology.ts';
import type { VisualLoader } from './visuals.ts';

/** Links of an articulation and whether they collide with each other. */
export interface ImportedArticulation {
	readonly bodies: readonly number[];
	readonly hasSelfCollisions: boolean;
}

/** Imports articulations, then the bodies and joints outside of them. */
export class ArticulationImporter {
	readonly articulations: ImportedArticulation[] = [];
	/** Root joints with settings that the caller gave, in SI. */
	readonly givenRoots: Set<number> = new Set();
	readonly #ctx: ImportContext;
	readonly #visuals: VisualLoader;
	/** Bodies that are not added yet. */
	readonly #pending = new Map<string, PhysicsRigidBody>();
	readonly #ignoredBodies = new Set<string>();
	readonly #processed = new Set<string>();
	/** Joints that become equality constraints. */
	readonly #equalities: ReadonlySet<string>;

	constructor(ctx: ImportContext, visuals: VisualLoader, equalities: ReadonlySet<string>) {
		this.#ctx = ctx;
		this.#visuals = visuals;
		this.#equalities = equalities;
		for (const body of ctx.physics.bodies) {
			const path = body.primPath.toString();
			if (ctx.isIgnored(path)) this.#ignoredBodies.add(path);
			else this.#pending.set(path, body);
		}
	}

	/** What is left to do after everything was imported, for a copy of it. */
	fork(ctx: ImportContext): ArticulationImporter {
		const copy = new ArticulationImporter(ctx, this.#visuals, this.#equalities);
		for (const joint of this.givenRoots) copy.givenRoots.add(joint);
		return copy;
	}

	/** Imports everything that is in an articulation. */
	importArticulations(): void {
		for (const articulation of this.#ctx.physics.articulations) {
			const path = articulation.primPath.toString();
			const prim = this.#ctx.stage.prim(articulation.primPath)!;
			if (!articulation.isValid) {
				this.#ctx.tell('IMP023', prim, 'the articulation has no joints, expected some below its root or at it');
				continue;
			}
			if (this.#ctx.isIgnored(path)) continue;
			this.#ctx.mark(path, 'articulation');
			this.#importOne(articulation, prim, path);
		}
	}

	/** Imports bodies and joints that are in no articulation. */
	importRest(): void {
		for (const body of this.#pending.values()) {
			const prepared = prepareBody(this.#ctx, body, undefined);
			if (prepared !== undefined) addBody(this.#ctx, this.#visuals, prepared);
		}
		this.#pending.clear();
		this.#importOrphans();
	}

	/** Gives bodies that no joint moves a root joint and an articulation of their own. */
	attachFloatingBodies(): void {
		const { builder, bodies, physics, options } = this.#ctx;
		const parents = new Set(builder.column('jointParent'));
		const children = new Set(builder.column('jointChild'));
		const isLoose = physics.articulations.length === 0;
		const roots = physics.articulations.map(({ primPath }) => primPath.toString()).sort((a, b) => b.length - a.length);
		const masses = builder.column('bodyMass');
		for (const [path, body] of bodies) {
			// joints without articulations are left as they are; what no joint touches still floats
			if (children.has(body) || (isLoose && parents.has(body))) continue;
			if (!(masses[body]! > 0)) continue;
			const { parentBody } = options;
			const joint = this.#addRoot(body, parentBody === WORLD ? undefined : this.#ctx.incoming);
			const label = roots.find((root) => path === root || path.startsWith(root === '/' ? '/' : `${root}/`)) ?? path;
			joinArticulation(builder, [joint], { parentBody, label });
		}
	}

	#importOne(articulation: PhysicsArticulation, prim: Prim, path: string): void {
		const ctx = this.#ctx;
		const { options, resolvers, builder } = ctx;
		const rootPose = ctx.factored(prim).pose;
		resolvers.collect(prim);
		if (prim.parent !== undefined) resolvers.collect(prim.parent);
		const links = this.#links(articulation, options.overrideRootXform ? rootPose : undefined);
		if (links.length === 0) return;
		const ids = new Map(links.map(({ path: link }, i) => [link, i]));
		const graph = this.#graph(articulation, ids);
		const attributes = readCustomValues(ctx, prim, ['articulation']);
		const added: number[] = [];
		if (!options.bodiesFollowJointOrdering) added.push(...links.map((link) => addBody(ctx, this.#visuals, link)));
		if (graph.edges.length === 0) {
			links.forEach((link, i) => {
				const body = options.bodiesFollowJointOrdering ? addBody(ctx, this.#visuals, link) : added[i]!;
				if (options.bodiesFollowJointOrdering) added.push(body);
				const joint = this.#addRoot(body, options.parentBody === WORLD ? undefined : ctx.incoming);
				joinArticulation(builder, [joint], { parentBody: options.parentBody, label: link.path, attributes });
			});
		} else {
			const joints = this.#importTree(links, ids, graph, prim, rootPose, added);
			joinArticulation(builder, joints, { parentBody: options.parentBody, label: path, attributes });
		}
		const selfCollision = resolvers.resolve(
			prim,
			'articulation',
			'self_collision_enabled',
			options.enableSelfCollisions,
		);
		ctx.credit(selfCollision, 'articulation', this.articulations.length);
		this.articulations.push({ bodies: added, hasSelfCollisions: asBool(selfCollision.value) ?? true });
	}

	/** The bodies of an articulation in the order of their paths, less those that are left out or in another one. */
	#links(articulation: PhysicsArticulation, root: Pose | undefined): PreparedBody[] {
		const ctx = this.#ctx;
		const links: PreparedBody[] = [];
		for (const bodyPath of articulation.articulatedBodies) {
			if (bodyPath.isEmpty) continue;
			const path = bodyPath.toString();
			if (this.#ignoredBodies.has(path)) continue;
			const prim = ctx.stage.prim(bodyPath)!;
			ctx.resolvers.collect(prim);
			const body = this.#pending.get(path);
			if (body === undefined) {
				ctx.tell(
					'IMP023',
					prim,
					`the body belongs to another articulation already, not also to <${articulation.primPath}>`,
				);
				continue;
			}
			const prepared = prepareBody(ctx, body, root);
			if (prepared === undefined) continue;
			this.#pending.delete(path);
			links.push(prepared);
		}
		return links;
	}

	#graph(articulation: PhysicsArticulation, ids: ReadonlyMap<string, number>): JointGraph {
		const ctx = this.#ctx;
		const graph: JointGraph = { edges: [], groups: [], loops: [] };
		const byPair = new Map<string, PhysicsJoint[]>();
		for (const jointPath of articulation.articulatedJoints) {
			const path = jointPath.toString();
			const joint = ctx.jointsByPath.get(path)!;
			if (this.#equalities.has(path) || this.#isLeftOut(joint, path) || this.#processed.has(path)) continue;
			const ends = resolveEnds(joint, ids);
			if (ends === undefined) {
				const wanted = 'expected at least one';
				ctx.tell(
					'IMP020',
					ctx.stage.prim(jointPath)!,
					`neither end of the joint is a body of its articulation, ${wanted}`,
				);
				this.#processed.add(path);
				continue;
			}
			if (joint.excludeFromArticulation) {
				graph.loops.push(joint);
				continue;
			}
			const key = `${ends.parent} ${ends.child}`;
			const group = byPair.get(key);
			if (group !== undefined) {
				group.push(joint);
				continue;
			}
			const first = [joint];
			byPair.set(key, first);
			graph.edges.push([ends.parent, ends.child]);
			graph.groups.push(first);
		}
		return graph;
	}

	/** Adds bodies and joints of a tree from its root outwards, then the joints that close loops. Gives the joints of the tree. */
	#importTree(
		links: readonly PreparedBody[],
		ids: ReadonlyMap<string, number>,
		graph: JointGraph,
		prim: Prim,
		rootPose: Pose,
		added: number[],
	): number[] {
		const ctx = this.#ctx;
		const { options } = ctx;
		const { order, reversed, first } = this.#sort(graph, prim, links);
		if (options.bodiesFollowJointOrdering) {
			const present = new Set<number>();
			const add = (link: number): void => {
				if (link < 0 || present.has(link)) return;
				present.add(link);
				added.push(addBody(ctx, this.#visuals, links[link]!));
			};
			for (const edge of order) {
				const [parent, child] = graph.edges[edge]!;
				// a reversed joint leads from its child to its parent
				for (const link of reversed.has(edge) ? [child, parent] : [parent, child]) add(link);
			}
			// what no sorted joint reaches is still there
			for (const link of links.keys()) add(link);
		}
		const joints: number[] = [];
		const bodyOf = (link: number): number => ctx.bodies.get(links[link]!.path)!;
		if (first !== undefined) {
			const [parent, child] = graph.edges[first]!;
			const root = reversed.has(first) ? child : parent;
			if (root !== WORLD) {
				joints.push(this.#addRoot(bodyOf(root), options.parentBody === WORLD ? undefined : ctx.incoming));
			}
		}
		for (const edge of order) {
			const group = graph.groups[edge]!;
			const [parent, child] = graph.edges[edge]!;
			const isRoot = edge === first && parent === WORLD;
			const index =
				isRoot && (options.baseJoint !== undefined || options.floating !== undefined)
					? this.#replaceRoot(bodyOf(child), group)
					: this.#addGroup(
							group,
							isRoot ? this.#rootFrame(group[0]!, ids, links, rootPose) : undefined,
							reversed.has(edge),
						);
			if (index !== undefined) joints.push(index);
			for (const joint of group) this.#processed.add(joint.primPath.toString());
		}
		for (const joint of graph.loops) this.#addLoop(joint, rootPose);
		return joints;
	}

	/** The joints in the order that is asked for, those that lead from child to parent, and the one at the root. */
	#sort(
		graph: JointGraph,
		prim: Prim,
		links: readonly PreparedBody[],
	): { order: readonly number[]; reversed: ReadonlySet<number>; first: number | undefined } {
		const ctx = this.#ctx;
		const { jointOrdering, newtonCompat } = ctx.options;
		const isStage = jointOrdering === 'stage';
		// the order of the stage says nothing of the root, and circles are circles in any order
		const { order, reversed, fault } = sortEdges(graph.edges, isStage ? 'dfs' : jointOrdering);
		const pathOf = (edge: number): string => graph.groups[edge]![0]!.primPath.toString();
		if (fault?.kind === 'cycle') {
			const joint = fault.edge === undefined ? '' : `; joint <${pathOf(fault.edge)}> closes it and is left out`;
			const link = fault.node < 0 ? 'the world' : `<${links[fault.node]!.path}>`;
			ctx.tell(
				'IMP022',
				prim,
				`the joints of the articulation go round in a circle at ${link}${joint}: give it physics:excludeFromArticulation = true`,
			);
		} else if (fault !== undefined) {
			ctx.tell('IMP022', prim, `no joint connects <${links[fault.node]?.path ?? '/'}> to the rest of the articulation`);
		}
		if (reversed.length > 0) {
			const names = reversed.map((edge) => quote(pathOf(edge))).join(', ');
			const what = newtonCompat ? 'are left out' : 'are turned round';
			const wanted = 'expected physics:body0 to be the parent and physics:body1 the child';
			ctx.tell(
				newtonCompat ? 'IMP021' : 'IMP027',
				prim,
				`joints ${names} lead from child to parent and ${what}: ${wanted}`,
			);
		}
		return {
			order: isStage ? order.toSorted((a, b) => a - b) : order,
			reversed: new Set(reversed),
			first: order[0],
		};
	}

	/** The joint of a root that the caller describes in place of the one on the stage. */
	#replaceRoot(body: number, group: readonly PhysicsJoint[]): number {
		const ctx = this.#ctx;
		const isWorld = ctx.options.parentBody === WORLD;
		const pose = rowOf(ctx.builder.column('bodyQ'), 7, body);
		for (const joint of group) ctx.mark(joint.primPath.toString(), 'joint');
		return this.#addRoot(body, isWorld ? pose : ctx.incoming);
	}

	#addRoot(body: number, frame: Pose | undefined): number {
		const { builder, options } = this.#ctx;
		const parentXform = frame ?? rowOf(builder.column('bodyQ'), 7, body);
		const isFloating = options.floating ?? options.parentBody === WORLD;
		const joint = addRootJoint(builder, { child: body, label: '', parentXform }, options, isFloating);
		if (builder.column('jointType')[joint] !== JointType.FREE) this.givenRoots.add(joint);
		return joint;
	}

	#addGroup(group: readonly PhysicsJoint[], incoming: Pose | undefined, isReversed: boolean): number | undefined {
		if (isReversed && this.#ctx.options.newtonCompat) return undefined;
		if (group.length === 1) return addUsdJoint(this.#ctx, group[0]!, { incoming, isReversed });
		const axes = group.filter(isAxisJoint);
		for (const joint of group) {
			if (isAxisJoint(joint)) continue;
			const prim = this.#ctx.stage.prim(joint.primPath)!;
			const others = group.map(({ primPath }) => `<${primPath}>`).join(', ');
			this.#ctx.tell(
				'IMP025',
				prim,
				`a joint of type ${joint.kind} cannot be merged with others between the same bodies (${others}); it is left out`,
			);
		}
		if (axes.length === 0) return addUsdJoint(this.#ctx, group[0]!, { incoming, isReversed });
		return axes.length === 1
			? addUsdJoint(this.#ctx, axes[0]!, { incoming, isReversed })
			: addMergedJoints(this.#ctx, axes, { incoming, isReversed });
	}

	/** The frame of the world side of a root joint in the builder's space. */
	#rootFrame(
		joint: PhysicsJoint,
		ids: ReadonlyMap<string, number>,
		links: readonly PreparedBody[],
		rootPose: Pose,
	): Pose {
		const ctx = this.#ctx;
		const side = ids.has(joint.body0.toString()) ? joint.body1 : joint.body0;
		const prim = side.isEmpty || !side.isPrim ? undefined : ctx.stage.prim(side);
		const world = prim === undefined ? this.#recoveredFrame(joint, ids, links) : ctx.factored(prim).pose;
		const root = ctx.options.overrideRootXform ? inversePose(rootPose) : identityPose();
		return composePoses(ctx.incoming, root, world);
	}

	/**
	 * Where a joint names nothing on its world side and has no frame there, the frame is the one that leaves the child where
	 * it is. A frame that is given counts as one in the world.
	 */
	#recoveredFrame(joint: PhysicsJoint, ids: ReadonlyMap<string, number>, links: readonly PreparedBody[]): Pose {
		const ends = resolveEnds(joint, ids)!;
		if (!isIdentityPose(ends.parentPose)) return identityPose();
		const child = this.#ctx.factored(links[ends.child]!.prim).pose;
		return composePoses(child, ends.childPose, inversePose(ends.parentPose));
	}

	#addLoop(joint: PhysicsJoint, rootPose: Pose): void {
		const ctx = this.#ctx;
		const ends = resolveEnds(joint, ctx.bodies);
		const root = ctx.options.overrideRootXform ? ctx.incoming : composePoses(ctx.incoming, rootPose);
		const isToWorld = ends !== undefined && ends.parent === WORLD;
		addUsdJoint(ctx, joint, { incoming: isToWorld ? root : undefined });
		this.#processed.add(joint.primPath.toString());
	}

	/** Joints in no articulation: they stay out of any. */
	#importOrphans(): void {
		const ctx = this.#ctx;
		const byPair = new Map<string, PhysicsJoint[]>();
		for (const [path, joint] of ctx.jointsByPath) {
			if (this.#processed.has(path) || this.#equalities.has(path) || this.#isLeftOut(joint, path)) continue;
			if (!joint.jointEnabled && ctx.options.onlyLoadEnabledJoints) continue;
			const key = `${joint.body0}\n${joint.body1}`;
			const group = byPair.get(key);
			if (group === undefined) byPair.set(key, [joint]);
			else group.push(joint);
		}
		for (const group of byPair.values()) {
			const isMerged = group.length > 1 && group.every(isAxisJoint);
			for (const part of isMerged ? [group] : group.map((joint) => [joint])) {
				const ends = resolveEnds(part[0]!, ctx.bodies);
				const incoming = ends === undefined ? undefined : this.#orphanFrame(part[0]!, ends);
				if (isMerged) addMergedJoints(ctx, part as PhysicsAxisJoint[], { incoming });
				else addUsdJoint(ctx, part[0]!, { incoming });
			}
		}
	}

	/** A joint to the world is placed so that its child stays where it is; one between bodies needs nothing. */
	#orphanFrame(joint: PhysicsJoint, ends: JointEnds): Pose | undefined {
		const ctx = this.#ctx;
		if (ends.parent !== WORLD) return ctx.has('orphan-frame') ? ctx.incoming : undefined;
		const isNamed = (ends.isSwapped ? joint.body1 : joint.body0).isPrim;
		if (isNamed && ctx.has('orphan-frame')) return ctx.incoming;
		const prim = ctx.stage.prim(ends.isSwapped ? joint.body0 : joint.body1)!;
		const child = ctx.factored(prim).pose;
		return composePoses(ctx.incoming, child, ends.childPose, inversePose(ends.parentPose));
	}

	#isLeftOut(joint: PhysicsJoint, path: string): boolean {
		return (
			this.#ctx.isIgnored(path) ||
			this.#ignoredBodies.has(joint.body0.toString()) ||
			this.#ignoredBodies.has(joint.body1.toString())
		);
	}
}

interface JointGraph {
	readonly edges: Edge[];
	/** Joints of each edge: several between the same bodies act as one. */
	readonly groups: PhysicsJoint[][];
	readonly loops: PhysicsJoint[];
}

function isAxisJoint(joint: PhysicsJoint): joint is PhysicsAxisJoint {
	return joint.kind === 'RevoluteJoint' || joint.kind === 'PrismaticJoint';
}
