import { Path } from '../sdf/path.ts';

/** Which part of the namespace a stage has: some paths with all that is above and below them. Immutable. */
export class PopulationMask {
	/** The whole namespace. */
	static readonly all: PopulationMask = new PopulationMask([Path.root]);

	readonly paths: readonly Path[];

	private constructor(paths: readonly Path[]) {
		this.paths = paths;
	}

	static of(paths: Iterable<Path>): PopulationMask {
		const list = [...new Set(paths)];
		return new PopulationMask(list.filter((path) => !list.some((other) => other !== path && path.hasPrefix(other))));
	}

	get isAll(): boolean {
		return this.paths.length === 1 && this.paths[0] === Path.root;
	}

	/** Whether a prim is on the stage: an ancestor or descendant of a path of the mask, or such a path. */
	includes(path: Path): boolean {
		return this.paths.some((masked) => masked.hasPrefix(path) || path.hasPrefix(masked));
	}

	/** Whether a prim is on the stage with everything below it. */
	includesSubtree(path: Path): boolean {
		return this.paths.some((masked) => path.hasPrefix(masked));
	}

	/** What the mask leaves below `path`, as text: equal for subtrees that are masked alike. */
	keyBelow(path: Path): string {
		if (this.includesSubtree(path)) return '';
		const below = this.paths.filter((masked) => masked.hasPrefix(path));
		return below.map((masked) => masked.makeRelative(path).toString()).join(';');
	}
}
