import { determinant3 } from './factor-matrix.ts';
import { identityMatrix, invertMatrix, isIdentityMatrix, multiplyMatrices } from './matrix.ts';

/** A box along the axes; empty when some minimum is above its maximum. */
export interface AlignedBox {
	/** x, y, z */
	readonly min: Float64Array;
	readonly max: Float64Array;
}

/** A box along the axes of some space, and the matrix from that space. Immutable. */
export class BoundingBox {
	readonly min: Float64Array;
	readonly max: Float64Array;
	readonly matrix: Float64Array;
	static readonly empty: BoundingBox = new BoundingBox(
		new Float64Array(3).fill(Number.POSITIVE_INFINITY),
		new Float64Array(3).fill(Number.NEGATIVE_INFINITY),
	);

	constructor(min: Float64Array, max: Float64Array, matrix: Float64Array = identityMatrix()) {
		this.min = min;
		this.max = max;
		this.matrix = matrix;
	}

	get isEmpty(): boolean {
		return isEmptyBox(this);
	}

	/** The same box in the space that `matrix` leads to. */
	transformed(matrix: Float64Array): BoundingBox {
		return new BoundingBox(this.min, this.max, multiplyMatrices(this.matrix, matrix));
	}

	/** The same extent with another matrix. */
	withMatrix(matrix: Float64Array): BoundingBox {
		return new BoundingBox(this.min, this.max, matrix);
	}

	/** The smallest box along the axes that holds this one. */
	aligned(): AlignedBox {
		if (this.isEmpty || isIdentityMatrix(this.matrix)) return { min: this.min, max: this.max };
		const m = this.matrix;
		const min = m.slice(12, 15);
		const max = m.slice(12, 15);
		for (let j = 0; j < 3; j++) {
			for (let i = 0; i < 3; i++) {
				const a = this.min[i]! * m[i * 4 + j]!;
				const b = this.max[i]! * m[i * 4 + j]!;
				min[j] = min[j]! + Math.min(a, b);
				max[j] = max[j]! + Math.max(a, b);
			}
		}
		return { min, max };
	}

	/** A box that holds both, along the axes of the one where it becomes smaller. */
	combined(other: BoundingBox): BoundingBox {
		if (this.isEmpty) return other;
		if (other.isEmpty) return this;
		const own = invertMatrix(this.matrix, FLAT);
		const others = invertMatrix(other.matrix, FLAT);
		const isFlat = Math.abs(own.determinant) <= FLAT;
		const isOtherFlat = Math.abs(others.determinant) <= FLAT;
		if (isFlat && isOtherFlat) {
			const { min, max } = unionBoxes(this.aligned(), other.aligned());
			return new BoundingBox(min, max);
		}
		if (isOtherFlat) return this.#extended(other, own.matrix);
		if (isFlat) return other.#extended(this, others.matrix);
		const first = this.#extended(other, own.matrix);
		const second = other.#extended(this, others.matrix);
		const v1 = first.volume;
		const v2 = second.volume;
		const tolerance = Math.max(1e-10, 1e-6 * Math.abs(Math.max(v1, v2)));
		return Math.abs(v1 - v2) <= tolerance || v1 < v2 ? first : second;
	}

	get volume(): number {
		if (this.isEmpty) return 0;
		let volume = Math.abs(determinant3(this.matrix));
		for (let i = 0; i < 3; i++) volume *= this.max[i]! - this.min[i]!;
		return volume;
	}

	#extended(other: BoundingBox, inverse: Float64Array): BoundingBox {
		const { min, max } = unionBoxes(this, other.transformed(inverse).aligned());
		return new BoundingBox(min, max, this.matrix);
	}
}

/** Determinants up to this are those of matrices without an inverse. */
const FLAT = 1e-13;

/** Whether a box holds nothing, not even a point. */
export function isEmptyBox({ min, max }: AlignedBox): boolean {
	return min[0]! > max[0]! || min[1]! > max[1]! || min[2]! > max[2]!;
}

/** The smallest box along the axes that holds both. */
export function unionBoxes(a: AlignedBox, b: AlignedBox): AlignedBox {
	return { min: a.min.map((x, i) => Math.min(x, b.min[i]!)), max: a.max.map((x, i) => Math.max(x, b.max[i]!)) };
}
