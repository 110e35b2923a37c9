import type { Diagnostic } from '@manyworlds/core';
import type { IndexRange } from '@manyworlds/model/internal';
import type { SharedBuffers } from './shared-worlds.ts';
import type { StepperSettings } from './world-stepper.ts';

/** Starts threads. Node and browsers each have their own. @public */
export interface WorkerHost {
	/** Starts a thread that calls {@link serveWorlds}. */
	start(): WorkerPort;
}

/** A thread as the one that started it sees it. @public */
export interface WorkerPort {
	postMessage(message: unknown): void;
	onMessage(listener: (message: unknown) => void): void;
	/** Tells, at most once, that the thread has ended or failed without being asked to. */
	onEnd(listener: (reason: string) => void): void;
	terminate(): Promise<void>;
}

/** The thread that started this one, as seen from here. @public */
export interface WorkerParent {
	postMessage(message: unknown): void;
	onMessage(listener: (message: unknown) => void): void;
}

/** First message to a worker: the model, and the solver to load. */
export interface LoadMessage {
	readonly kind: 'load';
	/** What `modelToBytes` gave. */
	readonly model: SharedArrayBuffer;
	readonly solver: string;
	readonly options: unknown;
	/** Whether this worker does what is prepared for all. */
	readonly prepares: boolean;
}

/** Second message to a worker: its worlds. From then on it takes commands from shared memory. */
export interface StartMessage {
	readonly kind: 'start';
	readonly range: IndexRange;
	readonly stepper: StepperSettings;
	readonly buffers: SharedBuffers;
	readonly prepared: SharedArrayBuffer | undefined;
}

export type RequestMessage = LoadMessage | StartMessage;

/** What workers answer. */
export type AnswerMessage =
	| { readonly kind: 'loaded'; readonly prepared?: SharedArrayBuffer }
	| { readonly kind: 'ready'; readonly diagnostics: readonly Diagnostic[]; readonly engine?: string }
	/** The last worker has finished a command. */
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly code?: string; readonly message: string };
