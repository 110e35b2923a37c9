import { UsageRangeError } from '@manyworlds/core';
import { Path } from '../sdf/path.ts';

/** A path from its text; throws for what spells none. */
export function toPath(path: Path | string): Path {
	if (typeof path !== 'string') return path;
	const parsed = Path.parse(path);
	if (parsed === undefined) throw new UsageRangeError(`'${path}' is not a path`);
	return parsed;
}
