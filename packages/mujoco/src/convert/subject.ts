import type { DiagnosticDetails } from '@manyworlds/core';
import type { ErrorSubject, Model } from '@manyworlds/model';

/** Things of a model that a message can be about. */
export type SubjectKind = 'body' | 'joint' | 'shape';

/** A body, joint or shape with its label. */
export function subjectOf(model: Model, kind: SubjectKind, index: number): ErrorSubject {
	const labels = { body: model.bodyLabels, joint: model.jointLabels, shape: model.shapeLabels }[kind];
	const label = labels[index];
	return label === undefined ? { kind, index } : { kind, index, label };
}

/** A row of a table of the model, such as an actuator or a tendon. */
export function rowSubject(kind: string, index: number, label: string | undefined): ErrorSubject {
	return label === undefined || label === '' ? { kind, index } : { kind, index, label };
}

/** `joint 3 'elbow'`, for messages. */
export function nameOf({ kind, index, label }: ErrorSubject): string {
	return `${kind} ${index}${label === undefined || label === '' ? '' : ` '${label}'`}`;
}

/** What a diagnostic is about, so that its place in the asset can be found; a label that is a path is the prim. */
export function about(subject: ErrorSubject): DiagnosticDetails {
	const { label } = subject;
	return { data: { subject }, ...(label?.startsWith('/') ? { prim: label } : {}) };
}
