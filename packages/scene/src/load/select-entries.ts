import { pythonText } from '../python-text.ts';
import type { ScenePath } from '../scene-document.ts';
import type { SceneJointRef } from '../schema/joint.ts';
import type { SceneEntries, SceneJointSelector } from '../schema/post-build.ts';
import type { LoadContext } from './load-context.ts';

/** Entries that a selection means, or the text of a range that is not known. */
export type Selection = readonly number[] | { readonly unknown: string };

/** The entries of an array of `length` that are selected; undefined after a diagnostic. */
export function selectEntries(
	context: LoadContext,
	entries: SceneEntries,
	length: number,
	path: ScenePath,
): Selection | undefined {
	if (entries.index !== undefined) {
		const index = entries.index < 0 ? length + entries.index : entries.index;
		if (index >= 0 && index < length) return [index];
		return context.add('SCN040', [...path, 'index'], `is ${entries.index}, expected ${indexRange(length)}`);
	}
	const { range = { kind: 'all' } } = entries;
	const at = [...path, 'range'];
	switch (range.kind) {
		case 'all':
			return sequence(0, length);
		case 'unknown':
			return { unknown: pythonText(range.written) };
		case 'head':
		case 'tail': {
			if (range.count > length) beyond(context, at, `${range.kind}:${range.count}`, length);
			const count = Math.min(range.count, length);
			return range.kind === 'head' ? sequence(0, count) : sequence(length - count, length);
		}
		default: {
			const [from, to] = 'count' in range ? [range.count, undefined] : [range.start, range.end];
			const start = from < 0 ? length + from : from;
			const end = to === undefined ? length : to < 0 ? length + to : to;
			const written = range.kind === 'from' ? `from:${from}` : `[${from}, ${to ?? 'null'}]`;
			if (start < 0) return context.add('SCN040', at, `is ${written}, which starts before an array of ${length}`);
			if (start > length || end > length) beyond(context, at, written, length);
			return sequence(start, Math.min(end, length));
		}
	}
}

function beyond(context: LoadContext, path: ScenePath, written: string, length: number): void {
	const message = `is ${written}, which reaches beyond an array of ${length}; it is cut there`;
	context.add('SCN040', path, message, { severity: 'warning' });
}

/** What indices an array of `length` has. */
export function indexRange(length: number): string {
	return length === 0 ? 'none, as the array is empty' : `${-length} to ${length - 1}`;
}

function sequence(start: number, end: number): number[] {
	return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}

/** Joints that a selector means, or what is wrong with it: a text for the list of unsupported features, and why. */
export type JointSelection =
	| readonly number[]
	| {
			readonly feature: string;
			readonly code: 'SCN021' | 'SCN022';
			readonly message: string;
			readonly path: ScenePath;
	  };

/** The joints that are selected. */
export function selectJoints(context: LoadContext, selector: SceneJointSelector, path: ScenePath): JointSelection {
	const { joint, joints, label_prefix: prefix, match } = selector;
	const labels = context.builder.labels('joint');
	if (joint !== undefined) {
		return resolved(context, [joint], [[...path, context.document.has([...path, 'joint']) ? 'joint' : 'joint_label']]);
	}
	if (joints !== undefined) {
		const key = context.document.has([...path, 'joints']) ? 'joints' : 'joint_labels';
		return resolved(
			context,
			joints,
			joints.map((_, i) => [...path, key, i]),
		);
	}
	const matches = (label: string): boolean =>
		prefix !== undefined ? label.startsWith(prefix) : label.includes(match ?? '');
	return labels.flatMap((label, index) => (matches(label) ? [index] : []));
}

function resolved(context: LoadContext, refs: readonly SceneJointRef[], paths: readonly ScenePath[]): JointSelection {
	const found: number[] = [];
	for (const [i, ref] of refs.entries()) {
		const joint = context.findJoint(ref);
		if (typeof joint === 'number') found.push(joint);
		else {
			const what = joint.code === 'SCN022' ? 'Ambiguous joint reference' : 'Unknown joint reference:';
			return { ...joint, feature: `${what} ${pythonText(ref)}`, path: paths[i]! };
		}
	}
	return found;
}
