import { quote, type Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic, type FormatsCode } from '../diagnostics.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** Reads attributes of URDF elements; what is wrong is reported where it stands. */
export class UrdfValues {
	readonly #report: Report;

	constructor(report: Report) {
		this.#report = report;
	}

	/** A text that must be there and not be empty. */
	required(element: XmlElement, name: string): string | undefined {
		const value = element.get(name)?.trim();
		if (value !== undefined && value !== '') return value;
		this.missing(element, `<${element.name}> has no ${quote(name)}`);
		return undefined;
	}

	missing(element: XmlElement, message: string): void {
		this.#report.add(createDiagnostic('URDF002', message, element.location));
	}

	report(code: FormatsCode, message: string, element: XmlElement): void {
		this.#report.add(createDiagnostic(code, message, element.location));
	}

	/** So many numbers, undefined when the attribute is absent, empty or wrong. */
	numbers(element: XmlElement, name: string, count: number, isOpen = false): number[] | undefined {
		const attribute = element.attribute(name);
		const text = attribute?.value.trim();
		if (attribute === undefined || text === undefined || text === '') return undefined;
		const numbers: number[] = [];
		for (const word of text.split(/\s+/)) {
			const infinite = isOpen ? INFINITE.exec(word) : null;
			if (infinite !== null) numbers.push(infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
			else if (NUMBER.test(word) && Number.isFinite(Number(word))) numbers.push(Number(word));
			else {
				const message = `${quote(name)} is ${quote(text)}, expected ${count === 1 ? 'a finite number' : 'finite numbers'}`;
				this.#report.add(createDiagnostic('URDF003', message, attribute.location));
				return undefined;
			}
		}
		if (numbers.length === count) return numbers;
		const message = `${quote(name)} has ${numbers.length} numbers, expected ${count}`;
		this.#report.add(createDiagnostic('URDF003', message, attribute.location));
		return undefined;
	}

	vector(
		element: XmlElement | undefined,
		name: string,
		fallback: readonly [number, number, number],
	): [number, number, number] {
		const numbers = element === undefined ? undefined : this.numbers(element, name, 3);
		return (numbers ?? [...fallback]) as [number, number, number];
	}

	/** A number, undefined when it is absent or wrong. */
	number(element: XmlElement, name: string): number | undefined {
		return this.numbers(element, name, 1)?.[0];
	}

	/** A bound: a number that may be infinite. */
	bound(element: XmlElement, name: string): number | undefined {
		return this.numbers(element, name, 1, true)?.[0];
	}

	/** A size: a number above zero, `fallback` otherwise. */
	size(element: XmlElement, name: string, fallback: number): number {
		const value = this.number(element, name);
		if (value === undefined) {
			if (element.attribute(name) === undefined)
				this.missing(element, `<${element.name}> has no ${quote(name)}, ${fallback} m is taken`);
			return fallback;
		}
		if (value > 0) return value;
		const location = element.attribute(name)!.location;
		this.#report.add(createDiagnostic('URDF011', `${quote(name)} is ${value} m, expected more than 0`, location));
		return Math.abs(value);
	}
}
