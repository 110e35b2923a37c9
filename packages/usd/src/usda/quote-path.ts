import { printable } from '@manyworlds/core/internal';
import type { Path } from '../sdf/path.ts';

/** Longest path in a message, in UTF-16 units. */
const LIMIT = 120;

/** A path for use in a message: in angle brackets, cut when it is long. */
export function quotePath(path: Path): string {
	const text = path.toString();
	return `<${printable(text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text)}>`;
}
