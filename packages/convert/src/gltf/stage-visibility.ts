import {
	computePurposeInfo,
	inheritPurpose,
	isImageable,
	type Path,
	type Prim,
	type PurposeInfo,
} from '@manyworlds/usd';
import { textAt } from './stage-values.ts';

/** What of a stage is seen, worked out once for each prim. */
export class StageVisibility {
	readonly #shown = new Map<Path, boolean>();
	readonly #purposes = new Map<Path, PurposeInfo>();

	/** Whether what a prim is can be seen. */
	isDrawn(prim: Prim): boolean {
		const { purpose } = this.purpose(prim);
		return this.isShown(prim) && (purpose === 'default' || purpose === 'render');
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
