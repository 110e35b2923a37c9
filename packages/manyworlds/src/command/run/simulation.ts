import type { DiagnosticDetails } from '@manyworlds/core';
import type { ContactDefaultsName, Control, ErrorSubject, Model, State } from '@manyworlds/model';
import type { StepperOptions } from './stepper.ts';

/** What is simulated: a model, where it starts, and what drives it. */
export interface Simulation {
	/** The file as messages name it. */
	readonly file: string;
	readonly model: Model;
	/** Contact of shapes that say nothing about it. */
	readonly contactDefaults: ContactDefaultsName;
	/** The state to start from; it is copied. */
	readonly start: State;
	/** Targets that change over time. */
	readonly playback?: { apply(control: Control, frame: number, dt: number): void };
	/** Time step [s]. */
	readonly dt: number;
	readonly stepper: StepperOptions;
	/** Where the asset authors a body, joint or shape of the model. */
	readonly locate?: (subject: ErrorSubject) => DiagnosticDetails;
}
