import { makeValue, type TimeSamples, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { CrateFault } from './crate-fault.ts';
import { CrateType, RepFlag } from './crate-format.ts';
import type { ValueReader } from './value-reader.ts';

/** Lists of times by the offset they are stored at. */
export class TimesCache extends Map<number, Float64Array> {}

/** Reads times now and leaves the values in the file. The cursor is at the start of the time samples. */
export function readTimeSamples(reader: ValueReader, offset: number): TimeSamples {
	const { cursor } = reader;
	reader.followOffset();
	const timesLow = cursor.uint32();
	const timesHigh = cursor.uint32();
	const afterTimes = cursor.at;
	const timesOffset = timesLow + (timesHigh & 0xffff) * 0x100000000;
	let times = reader.times.get(timesOffset);
	if (times === undefined) {
		if (((timesHigh >>> 16) & 255) !== CrateType.doubleVector || (timesHigh & RepFlag.array) !== 0) {
			throw new CrateFault('time samples have times that are not a list of doubles', offset);
		}
		times = reader.read(timesLow, timesHigh).data as Float64Array;
		reader.times.set(timesOffset, times);
	}
	cursor.seek(afterTimes);
	reader.followOffset();
	const count = cursor.count64(8, 'time samples');
	if (count !== times.length) {
		throw new CrateFault(`time samples have ${count} values for ${times.length} times`, offset);
	}
	return new CrateTimeSamples(reader, times, cursor.at);
}

/** Time samples whose values are decoded when asked for. */
class CrateTimeSamples implements TimeSamples {
	readonly times: Float64Array;
	readonly #reader: ValueReader;
	readonly #representations: DataView;

	constructor(reader: ValueReader, times: Float64Array, start: number) {
		this.#reader = reader;
		const { bytes } = reader.cursor;
		this.#representations = new DataView(bytes.buffer, bytes.byteOffset + start, times.length * 8);
		this.times = times;
	}

	valueAt(index: number): Value {
		const low = this.#representations.getUint32(index * 8, true);
		const high = this.#representations.getUint32(index * 8 + 4, true);
		return (
			this.#reader.tryRead(low, high, 'timeSamples', undefined, this.times[index]) ??
			(makeValue(T.valueBlock, null) as Value)
		);
	}
}
