import { isIdentityOffset, type LayerOffset, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';

/** A time mapped through an offset. */
export function mapTime(offset: LayerOffset, time: number): number {
	return time * offset.scale + offset.offset;
}

/** A value as it reads outside a layer: time codes move with the time of the layer (AOUSD 12.3.2), the rest stays. */
export function retimeValue(value: Value, offset: LayerOffset): Value {
	if (isIdentityOffset(offset) || value.type.component !== 'double') return value;
	return retimeBy(value, (time) => mapTime(offset, time), offset.scale);
}

/** A value whose time codes are moved by a span; clips do so where they are played at another time. */
export function shiftValue(value: Value, span: number): Value {
	if (span === 0 || (value.type as ValueType).element !== (T.timecode as ValueType)) return value;
	return retimeBy(value, (time) => time + span, 1);
}

function retimeBy(value: Value, map: (time: number) => number, scale: number): Value {
	const { type, data } = value;
	const isTime = type.element === (T.timecode as ValueType);
	if (!isTime && type.element !== (T.duration as ValueType)) return value;
	const apply = isTime ? map : (span: number): number => span * scale;
	if (type.isArray) return makeValue(type, (data as Float64Array).map(apply));
	return makeValue(type, apply(data as number));
}
