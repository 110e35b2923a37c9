import type { LayerData } from '../sdf/layer-data.ts';
import { MemoryData, type Spec } from '../sdf/memory-data.ts';
import type { Path } from '../sdf/path.ts';
import type { Value } from '../sdf/value.ts';

/** The value of the field `names[index]` of a spec; `spec` spares the lookup where there is one. */
export function fieldAt(
	data: LayerData,
	spec: Spec | undefined,
	path: Path,
	name: string,
	index: number,
): Value | undefined {
	return spec === undefined ? data.field(path, name) : spec.valueAt(index);
}

/** The spec at `path` of data in memory; undefined for other data. */
export function specOf(data: LayerData, path: Path): Spec | undefined {
	return data instanceof MemoryData ? data.spec(path) : undefined;
}
