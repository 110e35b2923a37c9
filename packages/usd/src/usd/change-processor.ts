import type { CompositionCache } from '../pcp/composition-cache.ts';
import type { Layer } from '../sdf/layer.ts';
import type { StageTree } from './stage-tree.ts';

export class ChangeProcessor {
	constructor(cache: CompositionCache, tree: StageTree, layers: () => Layer[]) {
		void cache;
		void tree;
		void layers;
	}
	follow(): void {}
	stop(): void {}
}
