import { quote } from '@manyworlds/core';
import { mat3ToQuat, vec3Cross, vec3Length } from '@manyworlds/core/internal';
import type { MjcfElement, MjcfValue } from '@manyworlds/formats';
import {
	ORIENTATION_SIZES,
	type OrientationKind,
	orientationQuaternion,
	readNumbers,
	zAxisQuaternion,
} from '@manyworlds/formats/internal';
import { createDiagnostic, type ImportCode } from '../diagnostics.ts';
import type { LedgerConversion, LedgerOutcome } from '../ledger.ts';
import type { MjcfContext } from './context.ts';

/** How many numbers an attribute may have. */
export interface NumberCount {
	readonly least: number;
	readonly most: number;
}

/** The attributes of one element over its defaults. Whatever is read is marked in the ledger. */
export class Attributes {
	readonly element: MjcfElement;
	readonly values: ReadonlyMap<string, MjcfValue>;
	readonly #context: MjcfContext;

	constructor(context: MjcfContext, element: MjcfElement, values: ReadonlyMap<string, MjcfValue>) {
		this.#context = context;
		this.element = element;
		this.values = values;
	}

	has(name: string): boolean {
		return this.values.has(name);
	}

	/** The text of an attribute, which counts as used. */
	text(name: string, outcome: LedgerOutcome = {}): string | undefined {
		const value = this.values.get(name);
		if (value === undefined) return undefined;
		this.#context.ledger.use(pathOf(value.element), value.attribute.name, outcome);
		return value.text;
	}

	/** The text in lower case without spaces around it. */
	word(name: string): string | undefined {
		return this.text(name)?.trim().toLowerCase();
	}

	/** The numbers of an attribute; undefined when it is absent or wrong, which is reported. */
	numbers(name: string, count?: NumberCount, outcome: LedgerOutcome = {}): Float64Array | undefined {
		const text = this.text(name, outcome);
		if (text === undefined) return undefined;
		const numbers = readNumbers(text);
		if (numbers === undefined) {
			this.fault('MJCF006', name, 'expected finite numbers');
			return undefined;
		}
		if (count !== undefined && (numbers.length < count.least || numbers.length > count.most)) {
			const expected = count.least === count.most ? `${count.least}` : `${count.least} to ${count.most}`;
			this.fault('MJCF006', name, `expected ${expected} numbers`);
			if (numbers.length < count.least) return undefined;
			return numbers.slice(0, count.most);
		}
		return numbers;
	}

	/** Three numbers; with `newtonCompat` one number stands for three. */
	vector(name: string): Float64Array | undefined {
		const { newtonCompat } = this.#context.options;
		const text = this.values.get(name)?.text.trim() ?? '';
		if (newtonCompat && text !== '' && !/\s/.test(text)) {
			const [value] = this.numbers(name) ?? [];
			return value === undefined ? undefined : Float64Array.of(value, value, value);
		}
		return this.numbers(name, { least: 3, most: 3 });
	}

	number(name: string, fallback: number, outcome: LedgerOutcome = {}): number {
		return this.numbers(name, { least: 1, most: 1 }, outcome)?.[0] ?? fallback;
	}

	/** A whole number. */
	integer(name: string, fallback: number): number {
		const value = this.number(name, fallback);
		if (Number.isInteger(value)) return value;
		this.fault('MJCF006', name, 'expected a whole number');
		return fallback;
	}

	/** Position [m] in the frame around the element, scaled by the option. */
	position(): Float64Array {
		const numbers = this.vector('pos') ?? new Float64Array(3);
		const { scale } = this.#context.options;
		return scale === 1 ? numbers : numbers.map((x) => x * scale);
	}

	/** Orientation as a quaternion x y z w; the identity when there is none or it is wrong. */
	orientation(): Float64Array {
		const kinds = (Object.keys(ORIENTATION_SIZES) as OrientationKind[]).filter((kind) => this.has(kind));
		// an orientation of the element replaces that of its class
		const own = kinds.filter((kind) => this.values.get(kind)!.fromClass === undefined);
		const [kind, second] = own.length > 0 ? own : kinds;
		for (const other of kinds) this.#context.ledger.use(pathOf(this.values.get(other)!.element), other);
		if (kind === undefined) return Float64Array.of(0, 0, 0, 1);
		if (second !== undefined) {
			this.fault('MJCF014', second, `${quote(kind)} gives the orientation already`, 'warning');
		}
		const isAngle = kind === 'euler' || kind === 'axisangle';
		if (isAngle && this.#context.document.compiler.degree) this.convert(kind, { from: 'degree', to: 'quaternion' });
		const numbers = this.numbers(kind);
		if (numbers === undefined) return Float64Array.of(0, 0, 0, 1);
		const isTwisted = this.#context.options.newtonCompat && kind === 'zaxis' && numbers.length === 3;
		const q = isTwisted ? twistedZAxis(numbers) : orientationQuaternion(kind, numbers, this.#context.document.compiler);
		if (q !== undefined) return q;
		this.fault('MJCF006', kind, `expected ${ORIENTATION_SIZES[kind]} numbers that stand for a rotation`);
		return Float64Array.of(0, 0, 0, 1);
	}

	/** Position and orientation, seven numbers. */
	pose(): Float64Array {
		const pose = new Float64Array(7);
		pose.set(this.position());
		pose.set(this.orientation(), 3);
		return pose;
	}

	/** True, false or auto; something else is reported and taken as auto. */
	tristate(name: string): 'true' | 'false' | 'auto' {
		const word = this.word(name);
		if (word === undefined || word === 'true' || word === 'false' || word === 'auto') return word ?? 'auto';
		this.fault('MJCF006', name, 'expected true, false or auto');
		return 'auto';
	}

	/** Says that a value went into the model after a conversion. */
	convert(name: string, outcome: LedgerConversion): void {
		const value = this.values.get(name);
		if (value !== undefined) this.#context.ledger.convert(pathOf(value.element), value.attribute.name, outcome);
	}

	/** Says that a value is kept for MuJoCo. */
	keep(name: string, outcome: LedgerOutcome = {}): void {
		const value = this.values.get(name);
		if (value !== undefined) this.#context.ledger.keep(pathOf(value.element), value.attribute.name, outcome);
	}

	/** Says why a value has no effect. */
	ignore(name: string, reason: string): void {
		const value = this.values.get(name);
		if (value !== undefined) this.#context.ledger.ignore(pathOf(value.element), value.attribute.name, reason);
	}

	/** Says why all values that nobody used have no effect. */
	ignoreAll(reason: string): void {
		for (const name of this.values.keys()) this.ignore(name, reason);
	}

	/** Reports about an attribute: its value, then what is wrong. */
	fault(code: ImportCode, name: string, problem: string, severity?: 'warning'): void {
		const value = this.values.get(name);
		const subject = `${name} of ${this.subject}`;
		const message = value === undefined ? `${subject}: ${problem}` : `${subject} is ${quote(value.text)}, ${problem}`;
		const location = value?.attribute.location ?? this.element.location;
		this.#context.report.add(
			createDiagnostic(code, message, { ...location, ...(severity === undefined ? {} : { severity }) }),
		);
	}

	/** The element for messages. */
	get subject(): string {
		const name = this.element.ownName;
		return name === undefined ? `<${this.element.name}>` : `${this.element.name} ${quote(name)}`;
	}
}

/** Path of an element in the ledger. */
export function pathOf(element: MjcfElement): string {
	return element.path === '' ? element.name : element.path;
}

/** Newton's frame for a z axis: its x axis is the one that MuJoCo turns about. */
function twistedZAxis(direction: Float64Array): Float64Array | undefined {
	const length = vec3Length(direction);
	const side = Math.hypot(direction[0]!, direction[1]!);
	if (!(side > 0)) return length > 0 ? zAxisQuaternion(direction) : undefined;
	const z = direction.map((value) => value / length);
	const x = Float64Array.of(-direction[1]! / side, direction[0]! / side, 0);
	const y = vec3Cross(new Float64Array(3), z, x);
	return mat3ToQuat(new Float64Array(4), Float64Array.of(...x, ...y, ...z));
}
