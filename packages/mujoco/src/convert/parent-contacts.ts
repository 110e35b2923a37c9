import { WORLD } from '@manyworlds/model';
import { FilterPairs } from './collision-masks.ts';
import type { Conversion } from './conversion.ts';
import type { ShapePlan } from './shape-plan.ts';

/**
 * Whether the model lets a body collide with one that carries it. MuJoCo keeps such bodies apart, and all that is fixed to
 * them, unless what carries them does not move. Roots without freedom move for MuJoCo when they are mocap bodies.
 */
export function collidesWithCarriers(
	{ model, plan }: Pick<Conversion, 'model' | 'plan'>,
	{ contype, conaffinity, excludes }: ShapePlan,
	rootsAreStatic: boolean,
): boolean {
	const weld = new Map<number, number>([[WORLD, WORLD]]);
	const carrier = new Map<number, number>();
	const members = new Map<number, number[]>();
	for (const joint of [...plan.staticRoots, ...plan.tree]) {
		const [body, parent] = [model.jointChild[joint]!, model.jointParent[joint]!];
		const below = weld.get(parent) ?? parent;
		const isRigid = model.jointQdStart[joint] === model.jointQdStart[joint + 1];
		const isFixed = plan.folded.has(body) || (isRigid && (parent !== WORLD || rootsAreStatic));
		const own = isFixed ? below : body;
		weld.set(body, own);
		if (!isFixed) carrier.set(body, below);
		const known = members.get(own);
		if (known === undefined) members.set(own, [body]);
		else known.push(body);
	}
	const filters = new FilterPairs(model);
	const excluded = new Set(excludes.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
	const meet = (a: number, b: number): boolean =>
		((contype.get(a) ?? 0) & (conaffinity.get(b) ?? 0)) !== 0 ||
		((contype.get(b) ?? 0) & (conaffinity.get(a) ?? 0)) !== 0;
	const collide = (one: number, other: number): boolean => {
		if (excluded.has(`${Math.min(one, other)} ${Math.max(one, other)}`)) return false;
		const second = model.shapesOf(other);
		return model.shapesOf(one).some((a) => second.some((b) => meet(a, b) && !filters.has(a, b)));
	};
	for (const [own, below] of carrier) {
		if (below === WORLD) continue;
		const others = members.get(below) ?? [below];
		if ((members.get(own) ?? [own]).some((one) => others.some((other) => collide(one, other)))) return true;
	}
	return false;
}
