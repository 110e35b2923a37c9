import { quote, Report } from '@manyworlds/core';
import type { Model } from '@manyworlds/model';
import { ControlPlayback, type ControlSequence, readControl } from '@manyworlds/scene';
import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import { RefusedRun } from './sweep-asset.ts';
import { refusalOf } from './world-recipe.ts';

/** Opens a control file for all worlds of a model: JSON as scenes have it, or a table with a column for each joint. */
export function openControl(store: AssetStore, file: string, model: Model): ControlPlayback {
	const content = store.bytes(file) ?? { failure: 'it is not loaded' };
	const name = quote(store.name(file));
	if (isAssetFailure(content))
		throw new RefusedRun(`the control file ${name} cannot be read: ${content.failure || 'there is no such file'}`, [
			'SWP025',
		]);
	const text = new TextDecoder().decode(content);
	const report = new Report();
	const sequence = /\.csv$/i.test(file)
		? readTable(text, store.name(file), model)
		: readControl(text, { file: store.name(file), report });
	const playback = sequence && ControlPlayback.create(sequence, model, { report });
	if (playback === undefined || report.hasErrors) throw refusalOf(`the control file ${name} does not fit`, report);
	return playback;
}

/** Rows of `time,JOINT,…`: targets [m, rad] of joints with one coordinate; the others keep theirs. */
function readTable(text: string, file: string, model: Model): ControlSequence {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
	const refuse = (line: number, message: string): RefusedRun =>
		new RefusedRun(`${file}:${line + 1}: ${message}`, ['SWP025']);
	const [time, ...names] = (lines[0] ?? '').split(',').map((name) => name.trim());
	if (time !== 'time' || names.length === 0) throw refuse(0, "the first row is the names 'time,JOINT,…'");
	const worlds = Math.max(1, model.worldCount);
	const dofCount = model.jointDofCount / worlds;
	const dofs = names.map((name) => {
		const joint = model.jointLabels.findIndex((label) => label === name || label.endsWith(`/${name}`));
		if (joint < 0 || model.jointQdStart[joint + 1]! - model.jointQdStart[joint]! !== 1)
			throw refuse(0, `no joint with one coordinate has the name ${quote(name)}`);
		return model.jointQdStart[joint]!;
	});
	const base = new Float64Array(dofCount);
	for (let joint = 0; joint < model.jointCount / worlds; joint++) {
		const [dof, end] = [model.jointQdStart[joint]!, model.jointQdStart[joint + 1]!];
		if (model.jointQStart[joint + 1]! - model.jointQStart[joint]! === end - dof)
			for (let i = 0; i < end - dof; i++) base[dof + i] = model.jointTargetQ[model.jointQStart[joint]! + i]!;
	}
	const frames = lines.length - 1;
	if (frames < 1) throw refuse(0, 'there are no rows');
	const times = new Float64Array(frames);
	const targets = new Float64Array(frames * dofCount);
	for (let frame = 0; frame < frames; frame++) {
		const numbers = lines[frame + 1]!.split(',').map(Number);
		if (numbers.length !== names.length + 1 || numbers.some((value) => !Number.isFinite(value)))
			throw refuse(frame + 1, `expected ${names.length + 1} numbers`);
		if (frame > 0 && numbers[0]! <= times[frame - 1]!) throw refuse(frame + 1, 'the time does not increase');
		times[frame] = numbers[0]!;
		targets.set(base, frame * dofCount);
		dofs.forEach((dof, i) => {
			targets[frame * dofCount + dof] = numbers[i + 1]!;
		});
	}
	return {
		file,
		targets,
		frameCount: frames,
		dofCount,
		times,
		sampleDt: undefined,
		jointQ: undefined,
		jointQd: undefined,
		loop: false,
	};
}
