import { visitInstanceable } from '../pcp/instancing.ts';
import type { LayerStack } from '../pcp/layer-stack.ts';
import type { PrimIndex } from '../pcp/prim-index.ts';
import { authoredSelections } from './variants.ts';

/** Numbers layer stacks, so that sites of nodes can be part of a text key. */
export class StackNumbers {
	readonly #numbers = new Map<LayerStack, number>();

	of(stack: LayerStack): number {
		let number = this.#numbers.get(stack);
		if (number === undefined) {
			number = this.#numbers.size;
			this.#numbers.set(stack, number);
		}
		return number;
	}
}

/** A text that is equal for instances that share a prototype: the arcs they bring and the variants they select. */
export function instanceKey(index: PrimIndex, stacks: StackNumbers): string {
	const parts: (string | number)[] = [];
	visitInstanceable(index.root, (node, isInstanceable) => {
		if (!isInstanceable) return true;
		const { offset, scale } = node.mapToRoot.offset;
		parts.push(node.arcType, stacks.of(node.layerStack), node.path.toString(), offset, scale);
		// payloads may or may not be loaded, which tells instances apart further down
		return index.hasPayloads;
	});
	for (const [set, selection] of [...authoredSelections(index, true)].sort()) parts.push(set, selection);
	return parts.join('\n');
}
