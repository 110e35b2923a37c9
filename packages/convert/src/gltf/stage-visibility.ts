import type { Path, Prim, PurposeInfo } from '@manyworlds/usd';
import { computePurposeInfo, inheritPurpose, isImageable } from '@manyworlds/usd/internal';
import { textAt } from './stage-values.ts';

/** Purposes of geometry that is drawn when nobody says which. */
export const DRAWN_PURPOSES: ReadonlySet<string> = new Set(['default', 'render']);

/** What of a stage is seen, worked out once for each prim. */
export class StageVisibility {
	readonly #drawn: ReadonlySet<string>;
	readonly #shown = new Map<Path, boolean>();
	readonly #purposes = new Map<Path, PurposeInfo>();

	/** @param purposes Purposes of geometry that is drawn. */
	constructor(purposes: ReadonlySet<string> = DRAWN_PURPOSES) {
		this.#drawn = purposes;
	}

	/** Whether what a prim is can be seen. */
	isDrawn(prim: Prim): boolean {
		return this.isShown(prim) && this.hasDrawnPurpose(prim);
	}

	/** Whether it is for eyes, seen or not. */
	hasDrawnPurpose(prim: Prim): boolean {
		return this.#drawn.has(this.purpose(prim).purpose);
	}

	/** Whether nothing makes it invisible. */
	isShown(prim: Prim): boolean {
		let isShown = this.#shown.get(prim.path);
		if (isShown === undefined) {
			const { parent } = prim;
			const isOwn = !isImageable(prim) || textAt(prim, 'visibility') !== 'invisible';
			isShown = isOwn && (parent === undefined || parent.isPseudoRoot || this.isShown(parent));
			this.#shown.set(prim.path, isShown);
		}
		return isShown;
	}

	/** What it is for, by its own word or that of a prim above. */
	purpose(prim: Prim): PurposeInfo {
		let found = this.#purposes.get(prim.path);
		if (found === undefined) {
			const { parent } = prim;
			found =
				parent === undefined || parent.isPseudoRoot
					? computePurposeInfo(prim)
					: inheritPurpose(prim, this.purpose(parent));
			this.#purposes.set(prim.path, found);
		}
		return found;
	}
}
