import { quote, type Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic, type FormatsCode } from '../diagnostics.ts';
import type { SdfPose } from './sdf-document.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** Reads what elements of SDF hold; what is wrong is reported where it stands. */
export class SdfValues {
	readonly #report: Report;

	constructor(report: Report) {
		this.#report = report;
	}

	report(code: FormatsCode, message: string, element: XmlElement): void {
		this.#report.add(createDiagnostic(code, message, element.location));
	}

	missing(element: XmlElement, message: string): void {
		this.report('SDF002', message, element);
	}

	/** The name of an element; undefined, with a finding, when it has none. */
	name(element: XmlElement): string | undefined {
		const name = element.get('name');
		if (name === undefined || name === '') {
			this.missing(element, `<${element.name}> has no 'name'`);
			return undefined;
		}
		if (/^__.*__$/.test(name) || name === 'world') {
			this.report('SDF007', `<${element.name}> is called ${quote(name)}, a name that belongs to the format`, element);
		}
		return name;
	}

	/** Text of a child; undefined when there is none. */
	text(parent: XmlElement | undefined, name: string): string | undefined {
		return parent?.child(name)?.text.trim();
	}

	/** Numbers of an element: so many, or a finding and undefined. Infinite ones count where bounds are read. */
	numbers(element: XmlElement, count: number, isOpen = false): number[] | undefined {
		const text = element.text.trim();
		const words = text === '' ? [] : text.split(/\s+/);
		const numbers: number[] = [];
		for (const word of words) {
			const infinite = isOpen ? INFINITE.exec(word) : null;
			const value = infinite === null ? Number(word) : infinite[1] === '-' ? -Infinity : Infinity;
			if (infinite === null && !(NUMBER.test(word) && Number.isFinite(value))) {
				const expected = count === 1 ? 'a finite number' : 'finite numbers';
				this.report('SDF003', `<${element.name}> is ${quote(text.slice(0, 80))}, expected ${expected}`, element);
				return undefined;
			}
			numbers.push(value);
		}
		if (numbers.length === count) return numbers;
		this.report('SDF003', `<${element.name}> has ${numbers.length} numbers, expected ${count}`, element);
		return undefined;
	}

	/** A number of a child; undefined when it is not there or wrong. */
	number(parent: XmlElement | undefined, name: string): number | undefined {
		const child = parent?.child(name);
		return child === undefined ? undefined : this.numbers(child, 1)?.[0];
	}

	/** A number of a child that may be infinite. */
	bound(parent: XmlElement | undefined, name: string): number | undefined {
		const child = parent?.child(name);
		return child === undefined ? undefined : this.numbers(child, 1, true)?.[0];
	}

	/** A length of a child: a number above zero, `fallback` otherwise. */
	size(parent: XmlElement, name: string, fallback: number): number {
		const value = this.number(parent, name);
		if (value === undefined) {
			if (parent.child(name) === undefined)
				this.missing(parent, `<${parent.name}> has no <${name}>, ${fallback} m is taken`);
			return fallback;
		}
		if (value > 0) return value;
		this.report('SDF011', `<${name}> is ${value} m, expected more than 0`, parent.child(name)!);
		return Math.abs(value) || fallback;
	}

	vector(
		parent: XmlElement | undefined,
		name: string,
		fallback: readonly [number, number, number],
	): [number, number, number] {
		const child = parent?.child(name);
		const numbers = child === undefined ? undefined : this.numbers(child, 3);
		return (numbers ?? [...fallback]) as [number, number, number];
	}

	bool(parent: XmlElement | undefined, name: string): boolean | undefined {
		const text = this.text(parent, name)?.toLowerCase();
		return text === undefined || text === '' ? undefined : text === 'true' || text === '1';
	}

	/** A colour of three or four numbers. */
	color(parent: XmlElement | undefined, name: string): readonly [number, number, number, number] | undefined {
		const child = parent?.child(name);
		if (child === undefined) return undefined;
		const count = child.text.trim().split(/\s+/).length === 3 ? 3 : 4;
		const numbers = this.numbers(child, count);
		return numbers === undefined ? undefined : [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3] ?? 1];
	}

	/** The `pose` of an element; that which moves nothing without one. */
	pose(parent: XmlElement | undefined): SdfPose {
		const element = parent?.child('pose');
		const values = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
		if (element === undefined) return { element, values, relativeTo: '' };
		// versions before 1.7 called it so, and did not look at it
		const relativeTo = element.get('relative_to') ?? element.get('frame') ?? '';
		if (element.text.trim() === '') return { element, values, relativeTo };
		const isQuaternion = element.get('rotation_format') === 'quat_xyzw';
		const numbers = this.numbers(element, isQuaternion ? 7 : 6);
		if (numbers === undefined) return { element, values, relativeTo };
		values.set(numbers.slice(0, 3));
		if (isQuaternion) {
			const length = Math.hypot(...numbers.slice(3));
			if (length > 0)
				values.set(
					numbers.slice(3).map((value) => value / length),
					3,
				);
			else this.report('SDF011', 'the quaternion is 0 0 0 0, expected one of unit length; none is taken', element);
		} else {
			const isDegrees = /^(?:true|1)$/i.test(element.get('degrees') ?? '');
			const [roll = 0, pitch = 0, yaw = 0] = numbers
				.slice(3)
				.map((angle) => (isDegrees ? (angle * Math.PI) / 180 : angle));
			values.set(rollPitchYaw(roll, pitch, yaw), 3);
		}
		return { element, values, relativeTo };
	}
}

/** Roll about x, then pitch about the fixed y, then yaw about the fixed z. */
function rollPitchYaw(roll: number, pitch: number, yaw: number): number[] {
	const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
	const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
	const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
	return [
		sr * cp * cy - cr * sp * sy,
		cr * sp * cy + sr * cp * sy,
		cr * cp * sy - sr * sp * cy,
		cr * cp * cy + sr * sp * sy,
	];
}
