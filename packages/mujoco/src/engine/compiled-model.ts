import { writeMjcf } from '@manyworlds/formats';
import { mjcfElementAtLine } from '@manyworlds/formats/internal';
import type { ErrorSubject } from '@manyworlds/model';
import type { Conversion } from '../convert/conversion.ts';
import { nameOf, type SubjectKind, subjectAround, subjectOf } from '../convert/subject.ts';
import { MujocoError } from '../mujoco-error.ts';
import { CoordinateSync } from './coordinate-sync.ts';
import { noFiles, withFiles } from './engine-files.ts';
import { JointSlots } from './joint-slots.ts';
import { doubleField } from './mj-fields.ts';
import { type ModelMaps, makeMaps } from './model-maps.ts';
import { ModelSync } from './model-sync.ts';
import type { MjData, MjModel, MjOption, MjStatistic, MujocoModule } from './mujoco-module.ts';
import { WrittenInertia } from './written-inertia.ts';

/** A converted model, compiled, with one working state. Dispose it: its memory belongs to the engine. @public */
export class CompiledModel {
	readonly module: MujocoModule;
	readonly conversion: Conversion;
	readonly mj: MjModel;
	readonly data: MjData;
	/** Options and statistics of the engine; taken once, because each look at `mj.opt` or `mj.stat` makes an object. */
	readonly engineOptions: MjOption;
	readonly statistics: MjStatistic;
	/** Bodies of the compiled model, the world included. */
	readonly bodyCount: number;
	readonly maps: ModelMaps;
	readonly slots: JointSlots;
	readonly sync: ModelSync;
	readonly coordinates: CoordinateSync;
	/** Inertias that the compiled model has. */
	readonly written: WrittenInertia;

	/** Compiles the converted model, or loads what {@link compileToBytes} gave for it. */
	constructor(module: MujocoModule, conversion: Conversion, bytes?: Uint8Array) {
		this.module = module;
		this.conversion = conversion;
		this.mj = bytes === undefined ? compile(module, conversion) : load(module, bytes);
		this.data = makeData(module, this.mj, conversion);
		this.engineOptions = this.mj.opt;
		this.statistics = this.mj.stat;
		this.bodyCount = this.mj.nbody;
		this.maps = makeMaps(module, this.mj, conversion);
		this.written = new WrittenInertia(conversion.model, this.maps.body);
		this.sync = new ModelSync(this);
		try {
			this.sync.completeTemplate();
		} catch (error) {
			this.dispose();
			throw refusal(conversion, messageOf(error));
		}
		this.slots = new JointSlots(conversion, this.maps);
		this.coordinates = new CoordinateSync(conversion, this.slots);
		module.mj_resetData(this.mj, this.data);
		this.coordinates.push(
			Math.max(conversion.template.world, 0),
			conversion.model,
			doubleField(this.data, 'qpos'),
			doubleField(this.data, 'qvel'),
		);
	}

	dispose(): void {
		this.engineOptions.delete();
		this.statistics.delete();
		this.data.delete();
		this.mj.delete();
	}
}

/** A converted model, compiled, in MuJoCo's binary format: what an engine of the same version loads in a fraction of the time. */
export function compileToBytes(module: MujocoModule, conversion: Conversion): Uint8Array {
	const mj = compile(module, conversion);
	const buffer = new module.Uint8Buffer(Number(module.mj_sizeModel(mj)));
	try {
		module.mj_saveModel(mj, null, buffer);
		return (buffer.GetView() as Uint8Array).slice();
	} finally {
		buffer.delete();
		mj.delete();
	}
}

function load(module: MujocoModule, bytes: Uint8Array): MjModel {
	try {
		return withFiles(module, new Map([[BINARY, bytes]]), (folder) =>
			module.MjModel.from_binary_path(`${folder}/${BINARY}`, noFiles(module)),
		);
	} catch (error) {
		throw new MujocoError(
			'MJC004',
			`MuJoCo cannot load the compiled model of ${bytes.length} bytes: ${messageOf(error)}`,
		);
	}
}

function compile(module: MujocoModule, conversion: Conversion): MjModel {
	const text = writeMjcf(conversion.sections.document);
	try {
		if (conversion.files.size === 0) return module.MjModel.from_xml_string(text, noFiles(module));
		return withFiles(module, conversion.files, (folder) => {
			const path = `${folder}/model.xml`;
			module.FS.writeFile(path, text);
			try {
				return module.MjModel.from_xml_path(path, noFiles(module));
			} finally {
				module.FS.unlink(path);
			}
		});
	} catch (error) {
		throw refusal(conversion, messageOf(error));
	}
}

/** Name of a compiled model that the engine reads. */
const BINARY = 'model.mjb';

function makeData(module: MujocoModule, mj: MjModel, conversion: Conversion): MjData {
	try {
		return new module.MjData(mj);
	} catch (error) {
		mj.delete();
		throw refusal(conversion, messageOf(error));
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** MuJoCo's message with what of the model it is about: the element of the line, or of the name, that it gives. */
function refusal(conversion: Conversion, message: string): MujocoError {
	const actuator = /\bactuator (\d+)/.exec(message)?.[1];
	const line = /\bline (\d+)/.exec(message)?.[1];
	const { sections, subjects } = conversion;
	const name = /Element name '([^']+)'/.exec(message)?.[1];
	const subject =
		(actuator === undefined ? undefined : subjectAround(subjects, sections.actuator.children[Number(actuator)])) ??
		(line === undefined ? undefined : subjectAround(subjects, mjcfElementAtLine(sections.document, Number(line)))) ??
		(name === undefined ? undefined : subjectOfName(conversion, name));
	const reason = message
		.replace(/^(?:MuJoCo Error: |Loading error: |XML |Error: )+/, '')
		// names and lines of a document that the user has not seen
		.replace(/,?\s*Element (?:name )?'[^']*',? (?:id \d+)?,?\s*(?:line \d+)?/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	const what = subject === undefined ? 'the model' : nameOf(subject);
	return new MujocoError('MJC004', `MuJoCo refuses ${what}: ${reason}${found(conversion, subject)}`, subject);
}

/** What a refused body has: MuJoCo's messages do not say. */
function found({ model }: Conversion, subject: ErrorSubject | undefined): string {
	if (subject?.kind !== 'body' || subject.index === undefined) return '';
	const inertia = model.bodyInertia.subarray(9 * subject.index, 9 * subject.index + 9);
	const [xx, yy, zz] = [inertia[0], inertia[4], inertia[8]];
	return `; its mass is ${model.bodyMass[subject.index]} kg, its moments of inertia are ${xx}, ${yy}, ${zz} kg·m²`;
}

function subjectOfName(conversion: Conversion, name: string): ErrorSubject | undefined {
	const { model } = conversion;
	const places: [SubjectKind, ReadonlyMap<number, string>][] = [
		['body', conversion.bodyNames],
		['shape', conversion.geomNames],
		['shape', conversion.siteNames],
		['joint', conversion.jointNames],
	];
	for (const [kind, names] of places) {
		for (const [index, known] of names) if (known === name && index >= 0) return subjectOf(model, kind, index);
	}
	return undefined;
}
