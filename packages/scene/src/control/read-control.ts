import { type DiagnosticDetails, quote, type Report } from '@manyworlds/core';
import { JsonPlaces } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';

/** Rows of numbers that drive the joints of a scene over time. @public */
export interface ControlSequence {
	/** Name that messages give the file. */
	readonly file: string;
	/** Target positions [m, rad], one row after the other; shape (frames, dofs). */
	readonly targets: Float64Array;
	readonly frameCount: number;
	/** Numbers of a row: degrees of freedom of one world, or of all. */
	readonly dofCount: number;
	/** Time of each row, counted from the first [s]. */
	readonly times: Float64Array;
	/** Time between rows where it is the same everywhere [s]. */
	readonly sampleDt: number | undefined;
	/** Coordinates to start from; as long as those of one world, or of all. */
	readonly jointQ: Float64Array | undefined;
	/** Velocities to start from. */
	readonly jointQd: Float64Array | undefined;
	/** Whether the sequence starts over at its end; the scene may say otherwise. */
	readonly loop: boolean;
}

/** Options of {@link readControl}. @public */
export interface ReadControlOptions {
	/** Name of the file in messages. */
	readonly file: string;
	readonly report: Report;
}

/** Reads the control file of a scene (JSON, `schema_version` 1); undefined, with diagnostics, when it cannot be used. @public */
export function readControl(text: string, options: ReadControlOptions): ControlSequence | undefined {
	const reader = new ControlReader(text, options);
	return reader.read();
}

type Path = readonly (string | number)[];
type Mapping = Readonly<Record<string, unknown>>;

/** Keys that say something about the sequence to people and nothing to a solver. */
const DESCRIPTIVE_KEYS = ['name', 'description', 'model', 'keyframes'];

const KEYS = ['schema_version', 'joint_target_pos', 'joint_q', 'joint_qd', 'loop', ...DESCRIPTIVE_KEYS];

/** The one order that rows can have: that of the arrays of the model. */
const ORDERS: Readonly<Record<string, string>> = {
	joint_target_pos: 'sap_public_joint_dof',
	joint_q: 'sap_public_joint_q',
	joint_qd: 'sap_public_joint_qd',
};

/** Times may differ by this fraction of their distance and still count as even. */
const EVEN = 1e-6;

/** Longest text in which places are looked for. */
const MOST_LOCATED = 1 << 24;

class ControlReader {
	readonly #text: string;
	readonly #options: ReadControlOptions;
	#hasFailed = false;
	#places: JsonPlaces | undefined;

	constructor(text: string, options: ReadControlOptions) {
		this.#text = text;
		this.#options = options;
	}

	read(): ControlSequence | undefined {
		let root: unknown;
		try {
			root = JSON.parse(this.#text);
		} catch {
			return this.#failSyntax();
		}
		if (!isMapping(root)) return this.#fail([], `the file holds ${kindOf(root)}, expected a mapping`);
		this.#noteUnknown(root, KEYS, []);
		const version = root['schema_version'] ?? 1;
		if (version !== 1) return this.#fail(['schema_version'], `schema_version is ${show(version)}, expected 1`);
		const targets = this.#section(root, 'joint_target_pos', ['order', 'values', 'dt', 'times']);
		if (targets === undefined) {
			if (root['joint_target_pos'] === undefined)
				this.#fail([], "there is no 'joint_target_pos', expected rows of target positions");
			return undefined;
		}
		const times = this.#times(targets.section, targets.rowCount);
		const start = ['joint_q', 'joint_qd'].map((key) => {
			const found = this.#section(root, key, ['order', 'values']);
			return found?.values.subarray(0, found.width);
		});
		const loop = root['loop'] ?? false;
		if (typeof loop !== 'boolean') this.#fail(['loop'], `loop is ${show(loop)}, expected true or false`);
		if (this.#hasFailed || times === undefined) return undefined;
		return {
			file: this.#options.file,
			targets: targets.values,
			frameCount: targets.rowCount,
			dofCount: targets.width,
			...times,
			jointQ: start[0],
			jointQd: start[1],
			loop: loop === true,
		};
	}

	/** Rows of equal length of a section; undefined when it is absent or wrong. */
	#section(
		root: Mapping,
		key: string,
		known: readonly string[],
	): { section: Mapping; values: Float64Array; rowCount: number; width: number } | undefined {
		const section = root[key];
		if (section === undefined || section === null) return undefined;
		if (!isMapping(section)) return this.#fail([key], `${key} is ${show(section)}, expected a mapping with 'values'`);
		this.#noteUnknown(section, known, [key]);
		const order = section['order'];
		if (order !== undefined && order !== ORDERS[key])
			return this.#fail([key, 'order'], `${key}.order is ${show(order)}, expected ${quote(ORDERS[key]!)}`);
		const rows = section['values'];
		if (!Array.isArray(rows) || rows.length === 0)
			return this.#fail([key, 'values'], `${key}.values is ${show(rows)}, expected a list of one row or more`);
		const width = Array.isArray(rows[0]) ? rows[0].length : 0;
		const values = new Float64Array(rows.length * width);
		for (const [i, row] of rows.entries()) {
			const path = [key, 'values', i];
			if (!Array.isArray(row) || row.length === 0)
				return this.#fail(path, `${key}.values[${i}] is ${show(row)}, expected a list of numbers`);
			if (row.length !== width)
				return this.#fail(path, `${key}.values[${i}] has ${row.length} numbers, expected ${width} as in the first row`);
			for (const [k, value] of row.entries()) {
				if (typeof value !== 'number' || !Number.isFinite(value))
					return this.#fail([...path, k], `${key}.values[${i}][${k}] is ${show(value)}, expected a finite number`);
				values[i * width + k] = value;
			}
		}
		return { section, values, rowCount: rows.length, width };
	}

	#times(section: Mapping, count: number): Pick<ControlSequence, 'times' | 'sampleDt'> | undefined {
		const { dt, times } = section;
		if (dt !== undefined) {
			if (typeof dt !== 'number' || !(dt > 0) || !Number.isFinite(dt))
				return this.#fail(['joint_target_pos', 'dt'], `dt is ${show(dt)}, expected a positive number of seconds`);
			return { times: Float64Array.from({ length: count }, (_, i) => i * dt), sampleDt: dt };
		}
		if (!Array.isArray(times) || times.length !== count) {
			const found = Array.isArray(times) ? `${times.length} times` : show(times);
			const message = `joint_target_pos has no dt, and its times are ${found}, expected ${count} numbers, one for each row`;
			return this.#fail(['joint_target_pos', 'times'], message);
		}
		const odd = times.findIndex(
			(time, i) => typeof time !== 'number' || !Number.isFinite(time) || (i > 0 && !(time > times[i - 1])),
		);
		if (odd >= 0) {
			const message = `times[${odd}] is ${show(times[odd])}, expected a number of seconds above the one before`;
			return this.#fail(['joint_target_pos', 'times', odd], message);
		}
		if (count === 1) return { times: new Float64Array(1), sampleDt: undefined };
		const from = Float64Array.from(times, (time: number) => time - times[0]);
		const step = from[1]!;
		const isEven = from.every((time, i) => Math.abs(time - i * step) <= EVEN * step);
		return { times: from, sampleDt: isEven ? step : undefined };
	}

	#noteUnknown(mapping: Mapping, known: readonly string[], path: Path): void {
		for (const key of Object.keys(mapping)) {
			if (known.includes(key)) continue;
			const message = `key ${quote([...path, key].join('.'))} is not known, expected ${known.join(', ')}`;
			this.#options.report.add(createDiagnostic('CTL004', message, this.#locate([...path, key])));
		}
	}

	#fail(path: Path, message: string): undefined {
		this.#hasFailed = true;
		this.#options.report.add(createDiagnostic('CTL002', message, this.#locate(path)));
		return undefined;
	}

	#failSyntax(): undefined {
		const { file, report } = this.#options;
		const places = new JsonPlaces(this.#text, file);
		report.add(createDiagnostic('CTL001', places.fault?.message ?? 'the file is no JSON', places.locate([])));
		return undefined;
	}

	/** Where a value stands. Places are looked for only when something is wrong, because that means to parse again. */
	#locate(path: Path): DiagnosticDetails {
		const { file } = this.#options;
		if (this.#text.length > MOST_LOCATED) return { file };
		this.#places ??= new JsonPlaces(this.#text, file);
		return this.#places.locate(path);
	}
}

function isMapping(value: unknown): value is Mapping {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
	return typeof value === 'object' ? 'a mapping' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

function show(value: unknown): string {
	if (typeof value === 'string') return quote(value);
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}
