import { quote } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { MeshCode } from '../diagnostics.ts';
import type { MeshReadContext } from './mesh-file.ts';

/** Numbers of a source of a geometry with the width of one entry. */
export interface DaeSource {
	readonly data: Float64Array;
	readonly stride: number;
	readonly count: number;
}

/** A COLLADA document: elements by id, numbers, reports. */
export class DaeDocument {
	readonly #context: MeshReadContext;
	readonly #byId = new Map<string, XmlElement>();
	readonly #sources = new Map<XmlElement, DaeSource | undefined>();

	constructor(context: MeshReadContext, root: XmlElement) {
		this.#context = context;
		const stack = [root];
		while (stack.length > 0) {
			const element = stack.pop()!;
			const id = element.get('id');
			if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
			for (let i = element.children.length - 1; i >= 0; i--) stack.push(element.children[i]!);
		}
	}

	/** Reports about an element. */
	add(code: MeshCode, message: string, element: XmlElement): void {
		this.#context.add(code, message, element.location);
	}

	/** The element that an attribute refers to; reports when it is absent or of another kind. */
	find(element: XmlElement, attribute: string, kind: string): XmlElement | undefined {
		const reference = element.get(attribute);
		if (reference === undefined) {
			this.add('MESH014', `${element.name} has no ${attribute}, expected the address of a ${kind}`, element);
			return undefined;
		}
		if (!reference.startsWith('#')) {
			this.add('MESH014', `${quote(reference)} is in another file, expected a ${kind} of this file`, element);
			return undefined;
		}
		const target = this.#byId.get(reference.slice(1));
		if (target?.name === kind) return target;
		const found = target === undefined ? 'does not exist' : `is a ${target.name}`;
		this.add('MESH014', `${quote(reference)} ${found}, expected a ${kind}`, element);
		return undefined;
	}

	/** Numbers in the text of an element; those that cannot be read are NaN. */
	numbers(element: XmlElement): Float64Array {
		return element.numbers;
	}

	/** Numbers of positions, normals and transforms, rounded when that is asked for. */
	measures(element: XmlElement): Float64Array {
		const values = this.numbers(element);
		return this.#context.options.singlePrecision ? values.map(Math.fround) : values;
	}

	/** Whether a matrix moves anything; less than 1e-8 is nothing in single precision. */
	isPlaced(matrix: Float64Array): boolean {
		const least = this.#context.options.singlePrecision ? 1e-8 : 0;
		return matrix.some((entry, i) => Math.abs(entry - (i % 5 === 0 ? 1 : 0)) > least);
	}

	/**
	 * Whole numbers in the text of an element; anything else is reported and gives undefined. Numbers that no index or count
	 * can be become the last ones on their side.
	 */
	wholeNumbers(element: XmlElement): Int32Array | undefined {
		const integers = element.integers;
		if (integers !== undefined) return integers;
		const values = this.numbers(element);
		for (let i = 0; i < values.length; i++) {
			if (Number.isInteger(values[i]!)) continue;
			this.add('MESH003', `entry ${i} of ${element.name} is not a whole number; the element is left out`, element);
			return undefined;
		}
		return Int32Array.from(values, (value) => Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
	}

	/** A source as tightly packed entries, by its accessor. */
	source(element: XmlElement): DaeSource | undefined {
		if (!this.#sources.has(element)) this.#sources.set(element, this.#readSource(element));
		return this.#sources.get(element);
	}

	#readSource(element: XmlElement): DaeSource | undefined {
		const common = element.child('technique_common');
		const accessor = common?.child('accessor');
		const own = element.child('float_array') ?? element.child('int_array');
		const array = own ?? (accessor === undefined ? undefined : this.find(accessor, 'source', 'float_array'));
		if (array === undefined) {
			this.add('MESH014', 'the source has no float_array, expected one', element);
			return undefined;
		}
		const values = this.measures(array);
		const stated = Number(array.get('count') ?? values.length);
		if (stated !== values.length) {
			this.add('MESH010', `${array.name} states ${stated} numbers and has ${values.length}`, array);
		}
		const params = accessor === undefined ? 3 : accessor.children.filter((child) => child.name === 'param').length;
		const stride = this.#whole(accessor, 'stride', accessor === undefined ? 3 : 1, 1);
		const offset = this.#whole(accessor, 'offset', 0, 0);
		const room = Math.max(Math.floor((values.length - offset) / stride), 0);
		const count = this.#whole(accessor, 'count', room, 0);
		if (count > room) {
			this.add('MESH010', `the accessor states ${count} entries, the array has room for ${room}`, accessor ?? element);
		}
		const width = Math.min(Math.max(params, 1), stride);
		const kept = Math.min(count, room);
		const isPacked = offset === 0 && width === stride && kept * width === values.length;
		if (isPacked) return { data: values, stride: width, count: kept };
		const data = new Float64Array(kept * width);
		for (let i = 0; i < kept; i++) {
			for (let k = 0; k < width; k++) data[i * width + k] = values[offset + i * stride + k]!;
		}
		return { data, stride: width, count: kept };
	}

	#whole(element: XmlElement | undefined, attribute: string, absent: number, least: number): number {
		const text = element?.get(attribute);
		if (element === undefined || text === undefined) return absent;
		const value = Number(text);
		if (Number.isInteger(value) && value >= least) return value;
		this.add('MESH003', `${attribute} is ${quote(text)}, expected a whole number from ${least}`, element);
		return absent;
	}
}
