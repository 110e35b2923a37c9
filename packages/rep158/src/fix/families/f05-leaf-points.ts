import { type Path, type Prim, XformCache } from '@manyworlds/usd';
import { xformOps } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import { turnedGeometry } from '../../rules/transform-stacks.ts';
import { holdsArc, isUniform, unitOf } from '../../rules/unit-conversions.ts';
import { allPrims } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { linearPart, splitMatrix } from '../engine/linear.ts';
import { Proposals } from '../engine/proposals.ts';
import { absorbStretch } from '../frames/absorb-stretch.ts';
import { orderOf, proposeStack, type StackParts } from '../frames/xform-stack.ts';

/** F5: lengths of meshes that an arc brings in other units. */
export const LEAF_UNITS: Fixer = {
	family: 'F5',
	title: 'meshes in metres instead of scales that convert them',
	rules: ['R1.1.4'],
	safety: 'unsafe',
	apply(session) {
		if (!session.wants('R1.1.4')) return;
		freeze(session, 'R1.1.4', (prim, matrix) => {
			const split = splitMatrix(matrix);
			if (split === undefined || !holdsArc(prim)) return undefined;
			const { stretch } = split;
			const factors = Float64Array.of(stretch[0]!, stretch[4]!, stretch[8]!);
			const rest = Math.max(...[1, 2, 3, 5, 6, 7].map((i) => Math.abs(stretch[i]!)));
			if (!isUniform(factors) || rest > 1e-9 * Math.abs(factors[0]!) || unitOf(Math.abs(factors[0]!)) === undefined)
				return undefined;
			return { linear: stretch, parts: { translate: split.translation, orient: split.orient } };
		});
	},
};

/** F6: meshes that stand upright as they are stored, when most of an asset is turned by a quarter to stand. */
export const LEAF_AXES: Fixer = {
	family: 'F6',
	title: 'meshes stored with Z up instead of turned',
	rules: ['R1.1.13'],
	safety: 'unsafe',
	apply(session) {
		if (!session.wants('R1.1.13')) return;
		session.forEachSelection((stage) => {
			const transforms = new XformCache();
			const meshes = [...stage.traverse()].filter((prim) => prim.typeName === 'Mesh');
			const turned = turnedGeometry(meshes, stage.defaultPrim, (prim) =>
				orderOf(prim).length > 0 ? transforms.localTransform(prim).matrix : undefined,
			);
			const paths = new Set<Path>();
			for (const prim of turned) {
				if (prim.typeName === 'Mesh') paths.add(prim.path);
				else session.refuse('R1.1.13', 'it turns everything below it; freeze the meshes one by one', { prim });
			}
			if (paths.size === 0) return;
			freeze(session, 'R1.1.13', (prim, matrix) => {
				if (!paths.has(prim.path)) return undefined;
				const translate = Float64Array.from(matrix.subarray(12, 15));
				return { linear: linearPart(matrix), parts: { translate, orient: Float64Array.of(0, 0, 0, 1) } };
			});
		});
	},
};

/** What goes into the points of a mesh, and what is left of its transform. */
interface Frozen {
	readonly linear: Float64Array;
	readonly parts: StackParts;
}

/** Puts a part of the transforms of meshes into their points, where all prims of the same points agree. */
function freeze(
	session: FixSession,
	rule: RepCode,
	choose: (prim: Prim, matrix: Float64Array) => Frozen | undefined,
): void {
	const transforms = new XformCache();
	const bySource = new Map<string, { prim: Prim; frozen: Frozen | undefined }[]>();
	for (const prim of allPrims(session.stage)) {
		if (!prim.isA('PointBased')) continue;
		const site = prim.attribute('points').resolveInfo('default').site;
		if (site === undefined) continue;
		const isStill = !xformOps(prim).ops.some(({ attribute }) => attribute.timeSamples().length > 0);
		const local = transforms.localTransform(prim).matrix;
		const frozen = isStill && orderOf(prim).length > 0 ? choose(prim, local) : undefined;
		const key = `${site.layer.identifier} ${site.path}`;
		const users = bySource.get(key) ?? [];
		users.push({ prim, frozen });
		bySource.set(key, users);
	}
	const proposals = new Proposals(session);
	for (const users of bySource.values()) {
		const wanted = users.filter(({ frozen }) => frozen !== undefined);
		const [first] = wanted;
		if (first === undefined) continue;
		const isAgreed = wanted.length === users.length && wanted.every(({ frozen }) => isNear(frozen!, first.frozen!));
		const reason = isAgreed
			? obstacle(session, users)
			: `<${other(users, first)}> has the same points and needs them as they are`;
		if (reason !== undefined) {
			for (const { prim } of wanted) session.refuse(rule, `its points cannot change: ${reason}`, { prim });
			continue;
		}
		for (const { prim, frozen } of wanted) {
			proposals.see(prim);
			const fault = absorbStretch(session, proposals, prim, first.frozen!.linear, rule);
			if (fault === undefined) proposeStack(session, proposals, prim, rule, frozen!.parts);
			else session.refuse(rule, fault, { prim });
		}
	}
	proposals.commit();
}

function other(
	users: readonly { prim: Prim; frozen: Frozen | undefined }[],
	first: { frozen: Frozen | undefined },
): Path {
	const found = users.find(({ frozen }) => frozen === undefined || !isNear(frozen, first.frozen!));
	return found!.prim.path;
}

function isNear(a: Frozen, b: Frozen): boolean {
	const size = Math.max(...b.linear.map(Math.abs));
	return a.linear.every((x, i) => Math.abs(x - b.linear[i]!) <= 1e-7 * size);
}

/** Why the points of some meshes cannot change. */
function obstacle(session: FixSession, users: readonly { prim: Prim }[]): string | undefined {
	for (const { prim } of users) {
		for (const name of prim.authoredPropertyNames()) {
			if (/^primvars:/.test(name) && /^(?:vector|point)3/.test(prim.attribute(name).typeName))
				return `${name} of <${prim.path}> would have to turn too`;
		}
		const { site } = prim.attribute('points').resolveInfo('default');
		if (site !== undefined && !session.isEditable(site.layer))
			return `${site.layer.identifier} cannot be changed from here`;
	}
	return undefined;
}
