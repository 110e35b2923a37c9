import { Report } from '@manyworlds/core';
import { importMjcf, importUrdf } from '@manyworlds/import';
import { ArticulatedDynamics, type Model, ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { expect } from 'vitest';
import { type ConvertedRobot, convertRobot, type TargetFormat } from '../src/index.ts';

/** The text of a file. */
export const text = (content: Uint8Array | string): string =>
	typeof content === 'string' ? content : new TextDecoder().decode(content);

/** Converts a robot in one file, or in several of which it is the first. */
export function convertText(
	file: string,
	source: string,
	to: TargetFormat,
	options = {},
	files: Readonly<Record<string, string | Uint8Array>> = {},
): ConvertedRobot & { report: Report } {
	const store = new MemoryStore({ [file]: source, ...files });
	const report = new Report();
	const robot = convertRobot(file, { store, to, report, ...options });
	if (robot === undefined) throw new Error(JSON.stringify(report.toArray()));
	return { ...robot, report };
}

/** A robot with its base held, for its motion. */
export function urdfModel(source: string): Model {
	const builder = new ModelBuilder();
	importUrdf(source, builder, { floating: false });
	return builder.finalize();
}

export function mjcfModel(source: string): Model {
	const builder = new ModelBuilder();
	importMjcf(source, builder, { floating: false });
	return builder.finalize();
}

/** Values of joints, spread without chance. */
export function poses(count: number, joints: number): number[][] {
	return Array.from({ length: count }, (_, i) => Array.from({ length: joints }, (_, k) => Math.sin(3 * i + 7 * k + 1)));
}

export function stateAt(model: Model, values: readonly number[]): ReturnType<Model['createState']> {
	const state = model.createState();
	state.jointQ.set(values);
	new ArticulatedDynamics(model).forwardKinematics(state);
	return state;
}

export function massMatrix(model: Model, values: readonly number[]): number[] {
	return Array.from(new ArticulatedDynamics(model).massMatrix(stateAt(model, values)));
}

export function rowOf(model: Model, name: string): number {
	return model.bodyLabels.findIndex((label) => label.split('/').at(-1) === name);
}

export function positionOf(model: Model, name: string, values: readonly number[]): number[] {
	const row = 7 * rowOf(model, name);
	return Array.from(stateAt(model, values).bodyQ.subarray(row, row + 3));
}

export function turnOf(model: Model, name: string, values: readonly number[]): number[] {
	const row = 7 * rowOf(model, name);
	return Array.from(stateAt(model, values).bodyQ.subarray(row + 3, row + 7));
}

export function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
	expect(actual).toHaveLength(expected.length);
	for (const [i, value] of expected.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThan(tolerance);
}
