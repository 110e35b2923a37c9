import { composeTargets } from '../pcp/target-index.ts';
import { type Path, PathKind } from '../sdf/path.ts';
import { Property } from './property.ts';
import { mapTargets } from './proxy-paths.ts';

/** A relationship of a composed prim. */
export class Relationship extends Property {
	/** Paths that it points at. */
	targets(): readonly Path[] {
		return mapTargets(this.prim, composeTargets(this.index()).paths);
	}

	/** Paths that it points at, with relationships among them replaced by what they point at. */
	forwardedTargets(): Path[] {
		const targets = new Set<Path>();
		const visited = new Set<Path>();
		// a stack instead of recursion: chains of relationships may be long
		const stack: { paths: readonly Path[]; at: number }[] = [{ paths: this.targets(), at: 0 }];
		for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
			const target = top.paths[top.at++];
			if (target === undefined) {
				stack.pop();
				continue;
			}
			const next = target.kind === PathKind.property ? this.prim.stage.relationship(target) : undefined;
			if (next === undefined) {
				targets.add(target);
			} else if (!visited.has(target)) {
				visited.add(target);
				stack.push({ paths: next.targets(), at: 0 });
			}
		}
		return [...targets];
	}

	get hasAuthoredTargets(): boolean {
		return this.specs().some(({ layer, path }) => layer.data.field(path, 'targetPaths') !== undefined);
	}
}
