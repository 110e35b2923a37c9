import type { DiagnosticDetails } from '@manyworlds/core';
import type { MjcfElement } from '@manyworlds/formats';
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

/** What of the model the elements of a document stand for. */
export type ElementSubjects = Map<MjcfElement, ErrorSubject>;

/** Says what of the model an element stands for, and gives the element back. */
export function standFor(
	{ subjects }: { readonly subjects: ElementSubjects },
	element: MjcfElement,
	subject: ErrorSubject,
): MjcfElement {
	subjects.set(element, subject);
	return element;
}

/** What an element stands for; one that says nothing stands for what the element around it does. */
export function subjectAround(subjects: ElementSubjects, element: MjcfElement | undefined): ErrorSubject | undefined {
	for (let own = element; own !== undefined; own = own.parent) {
		const subject = subjects.get(own);
		if (subject !== undefined) return subject;
	}
	return undefined;
}
