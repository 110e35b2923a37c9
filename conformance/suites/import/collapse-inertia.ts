import { type CollapseResult, ModelBuilder } from '@manyworlds/model';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { Repair } from '../../src/newton/model-differences.ts';
import {
	correctMass,
	invert3,
	mergeOfReference,
	type Piece,
	pieceOfInertia,
	placePiece,
	sumPieces,
} from '../model-builders/ledger-mass.ts';
import type { RepairInput } from './repairs.ts';

/** Masses before fixed joints were collapsed, and what was merged. */
export interface RecordedCollapse {
	readonly pieces: readonly Piece[];
	readonly result: CollapseResult;
}

/** Records every collapse of a builder from now on. */
export function recordCollapses(builder: ModelBuilder): readonly RecordedCollapse[] {
	const recorded: RecordedCollapse[] = [];
	const record = (options?: Parameters<ModelBuilder['collapseFixedJoints']>[0]): CollapseResult => {
		const [masses, coms, tensors] = (['bodyMass', 'bodyCom', 'bodyInertia'] as const).map((name) => [
			...builder.column(name),
		]) as [number[], number[], number[]];
		const pieces = masses.map((mass, body) =>
			pieceOfInertia(mass, coms.slice(3 * body, 3 * body + 3), tensors.slice(9 * body, 9 * body + 9)),
		);
		const result = ModelBuilder.prototype.collapseFixedJoints.call(builder, options);
		recorded.push({ pieces, result });
		return result;
	};
	Object.defineProperty(builder, 'collapseFixedJoints', { value: record });
	return recorded;
}

/**
 * Fault collapse-inertia: the tensor of a merged body is summed about the wrong points. Here both sums are made from the
 * masses before the collapse, the right one with second moments.
 */
export function* collapseInertia({ it, collapses, expected }: RepairInput): Iterable<readonly [string, Repair]> {
	const [inertia, inverse] = [expected.arrays.body_inertia, expected.arrays.body_inv_inertia];
	if (collapses.length === 0 || inertia === undefined || inverse === undefined) return;
	let bodies: { right: Piece[]; reference: Piece; isMerged: boolean }[] = [];
	for (const { pieces, result } of collapses) {
		for (const piece of pieces.slice(bodies.length)) bodies.push({ right: [piece], reference: piece, isMerged: false });
		const before = bodies;
		const merged = new Map<number, number[]>();
		for (const [child, parent] of result.bodyMergedParent) merged.set(parent, [...(merged.get(parent) ?? []), child]);
		for (const [parent, children] of merged) {
			const into = before[parent];
			if (into === undefined) continue;
			const poses = children.map((child) => [...result.bodyMergedTransform.get(child)!]);
			into.right.push(
				...children.flatMap((child, i) => before[child]!.right.map((piece) => placePiece(piece, poses[i]!))),
			);
			const parts = children.map((child, i) => ({ pieces: [before[child]!.reference], pose: poses[i]! }));
			into.reference = mergeOfReference([into.reference], parts);
			into.isMerged = true;
		}
		bodies = [];
		for (const [old, now] of result.bodyRemap) if (now >= 0) bodies[now] = before[old]!;
	}
	const numbers = [expectedNumbers(inertia), expectedNumbers(inverse)] as const;
	const right = numbers.map((list) => [...list]) as [number[], number[]];
	const reference = numbers.map((list) => [...list]) as [number[], number[]];
	const bounds = boundsOf(it.builder);
	for (const [body, { right: rightPieces, reference: piece, isMerged }] of bodies.entries()) {
		if (!isMerged) continue;
		for (const [target, pieces] of [
			[right, rightPieces],
			[reference, [piece]],
		] as const) {
			const sum = sumPieces(pieces);
			const settled = correctMass(sum.mass, sum.inertia, bounds);
			target[0].splice(9 * body, 9, ...settled.inertia);
			target[1].splice(9 * body, 9, ...invert3(settled.inertia));
		}
	}
	yield ['body_inertia', { right: right[0], reference: reference[0] }];
	yield ['body_inv_inertia', { right: right[1], reference: reference[1] }];
}

function boundsOf(builder: RepairInput['it']['builder']): Parameters<typeof correctMass>[2] {
	const number = (name: string): number | undefined => (typeof builder[name] === 'number' ? builder[name] : undefined);
	const [boundMass, boundInertia] = [number('bound_mass'), number('bound_inertia')];
	return {
		...(boundMass === undefined ? {} : { boundMass }),
		...(boundInertia === undefined ? {} : { boundInertia }),
		...(builder.balance_inertia === false ? { balanceInertia: false } : {}),
	};
}
