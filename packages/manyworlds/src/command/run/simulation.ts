import type { DiagnosticDetails } from '@manyworlds/core';
import type { ContactDefaultsName, Control, ErrorSubject, Model, State } from '@manyworlds/model';
import type { Ground } from '@manyworlds/worlds';
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
	/** What a robot stands on; undefined for scenes. */
	readonly ground?: Ground;
	/** What of the run the file of a robot decided, in words. */
	readonly taken?: readonly string[];
	/** States of the file that could have been chosen. */
	readonly keyframes?: readonly string[];
	/** Targets that change over time. */
	readonly playback?: { apply(control: Control, frame: number, dt: number): void };
	/** Time step [s]. */
	readonly dt: number;
	readonly stepper: StepperOptions;
	/** Where the asset authors a body, joint or shape of the model. */
	readonly locate?: (subject: ErrorSubject) => DiagnosticDetails;
}
