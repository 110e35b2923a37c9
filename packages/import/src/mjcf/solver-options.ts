import { quatRotate } from '@manyworlds/core/internal';
import type { MjcfContext } from './context.ts';
import { readCustomAttributes } from './custom-attributes.ts';
import { keepWritten } from './written-attributes.ts';

/** What the `option` elements say beyond the attributes of the solver. */
export interface SimulationSettings {
	/** [s]; undefined when the model gives none. */
	readonly timestep: number | undefined;
	/** In the axes of the builder [m/s²]; undefined when the model gives none. */
	readonly gravity: Float64Array | undefined;
}

const NO_OPTIONS = 'the option parseMujocoOptions leaves solver options out';

/** Reads `compiler` and `option` elements into attributes of the solver; later ones count. */
export function readSolverOptions(context: MjcfContext): SimulationSettings {
	const { builder, document, options } = context;
	let timestep: number | undefined;
	let gravity: Float64Array | undefined;
	for (const element of [...document.sections('compiler'), ...document.sections('option')]) {
		const attributes = context.attributes(element);
		if (element.name === 'option') {
			if (attributes.has('timestep')) timestep = attributes.number('timestep', 0.002);
			gravity = attributes.numbers('gravity', { least: 3, most: 3 }) ?? gravity;
		}
		if (!options.parseMujocoOptions) {
			if (element.name === 'option') attributes.ignoreAll(NO_OPTIONS);
			continue;
		}
		const exceptions = { except: new Set(['mujoco:enable_sleeping']) };
		for (const frequency of ['once', 'world']) {
			for (const [key, value] of readCustomAttributes(context, attributes, frequency, exceptions)) {
				builder.setAttribute(key, value);
			}
		}
		if (element.name === 'option') {
			keepWritten(context, 'option', 0, attributes);
			if (readFlags(context, element)) gravity = new Float64Array(3);
		}
	}
	markCompiler(context);
	return { timestep, gravity: gravity && turned(context, gravity) };
}

/** Reads the switches of an option element, and tells whether gravity is switched off. */
function readFlags(context: MjcfContext, option: Parameters<MjcfContext['attributes']>[0]): boolean {
	let isWeightless = false;
	const declared = context.declarations.get('once')?.some(({ name }) => name === 'enable_sleeping');
	for (const flag of option.childrenNamed('flag')) {
		const attributes = context.attributes(flag);
		if (declared && attributes.has('sleep')) {
			const word = attributes.word('sleep');
			if (word === 'enable' || word === 'disable') {
				context.builder.setAttribute('mujoco:enable_sleeping', word === 'enable');
				attributes.keep('sleep', { target: 'mujoco:enable_sleeping' });
			} else attributes.fault('MJCF006', 'sleep', 'expected enable or disable');
		}
		if (!context.options.newtonCompat) isWeightless ||= attributes.word('gravity') === 'disable';
		keepWritten(context, 'flag', 0, attributes);
		attributes.ignoreAll('flags of the solver are set when it is made');
	}
	return isWeightless;
}

/** Settings of the compiler that took effect while the document was read. */
function markCompiler(context: MjcfContext): void {
	const used = [
		'angle',
		'eulerseq',
		'autolimits',
		'meshdir',
		'texturedir',
		'assetdir',
		'strippath',
		'inertiafromgeom',
		'inertiagrouprange',
		'fitaabb',
		'discardvisual',
	];
	const own = ['balanceinertia', 'boundmass', 'boundinertia', 'settotalmass', 'fusestatic'];
	for (const element of context.document.elements()) {
		if (element.name !== 'compiler') continue;
		const attributes = context.attributes(element);
		for (const name of used) attributes.text(name);
		for (const name of own) {
			if (context.options.newtonCompat) attributes.ignore(name, 'Newton does not read it');
			else attributes.text(name);
		}
		attributes.ignoreAll('it has no effect on the model');
	}
}

/** A direction of the model in the axes of the builder; the option `xform` places bodies, not the world. */
function turned(context: MjcfContext, gravity: Float64Array): Float64Array {
	return quatRotate(new Float64Array(3), context.upTurn, gravity);
}
