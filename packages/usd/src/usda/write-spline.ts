import type { Extrapolation, Spline, SplineKnot, SplineLoop, SplineTangent } from '../sdf/spline.ts';
import { MAX_NUMBER_BYTES, writeDouble, writeFloat } from '../text/format-number.ts';
import { writeHalf } from './format-half.ts';
import type { LayerOutput } from './layer-output.ts';
import { writeInlineDictionary } from './write-dictionary.ts';

/** Writes the statements between the braces of a spline, one level deeper than `indent`. */
export function writeSpline(out: LayerOutput, indent: number, spline: Spline): void {
	const { knots, loop } = spline;
	const hasCurves = knots.some((knot, i) => i < knots.length - 1 && knot.interpolation === 'curve');
	if (hasCurves || spline.curve === 'hermite') out.line(indent + 1, `${spline.curve},\n`);
	writeExtrapolation(out, indent + 1, 'pre', spline.pre);
	writeExtrapolation(out, indent + 1, 'post', spline.post);
	if (loop !== undefined && !isZeroLoop(loop)) {
		out.line(indent + 1, 'loop: (');
		const numbers = [loop.protoStart, loop.protoEnd, loop.preLoopCount, loop.postLoopCount, loop.valueOffset];
		numbers.forEach((number, i) => {
			if (i > 0) out.text(', ');
			out.double(number);
		});
		out.text('),\n');
	}
	// there is no segment before the first knot, but its tangent is kept for knots to come
	let isCurve = true;
	for (const knot of knots) {
		writeKnot(out, indent + 1, spline, knot, isCurve);
		isCurve = knot.interpolation === 'curve';
	}
}

function writeKnot(out: LayerOutput, indent: number, spline: Spline, knot: SplineKnot, hasPre: boolean): void {
	out.indent(indent);
	out.double(knot.time);
	out.text(': ');
	if (knot.preValue !== undefined) {
		writeNumber(out, spline, knot.preValue);
		out.text(' & ');
	}
	writeNumber(out, spline, knot.value);
	if (hasPre) writeTangent(out, 'pre', spline, knot.pre);
	if (knot.interpolation === 'curve') writeTangent(out, 'post curve', spline, knot.post);
	else out.text(`; post ${knot.interpolation}`);
	if (knot.customData.size > 0) {
		out.text('; ');
		writeInlineDictionary(out, knot.customData);
	}
	out.text(',\n');
}

function writeTangent(out: LayerOutput, label: string, spline: Spline, tangent: SplineTangent): void {
	out.text(`; ${label} (`);
	if (spline.curve === 'bezier') {
		out.double(tangent.width);
		out.text(', ');
	}
	writeNumber(out, spline, tangent.slope);
	if (tangent.algorithm !== 'none') {
		out.need(1);
		out.text(`, ${tangent.algorithm}`);
	}
	out.byte(0x29);
}

function isZeroLoop(loop: SplineLoop): boolean {
	const { protoStart, protoEnd, preLoopCount, postLoopCount, valueOffset } = loop;
	return protoStart === 0 && protoEnd === 0 && preLoopCount === 0 && postLoopCount === 0 && valueOffset === 0;
}

function isDefaultExtrapolation(extrapolation: Extrapolation): boolean {
	return extrapolation.mode === 'held';
}

function writeExtrapolation(out: LayerOutput, indent: number, label: string, extrapolation: Extrapolation): void {
	if (isDefaultExtrapolation(extrapolation)) return;
	const { mode, slope, loopBoundary } = extrapolation;
	out.line(indent, `${label}: ${mode}`);
	let argument: number | undefined;
	if (mode === 'sloped') {
		argument = slope ?? 0;
	} else if (mode.startsWith('loop') && loopBoundary !== undefined) {
		out.need(3);
		argument = loopBoundary;
	}
	if (argument !== undefined) {
		out.byte(0x28);
		out.double(argument);
		out.byte(0x29);
	}
	out.text(',\n');
}

/** Writes a number of the spline's value type. */
function writeNumber(out: LayerOutput, spline: Spline, value: number): void {
	out.reserve(MAX_NUMBER_BYTES);
	const write = spline.valueType === 'half' ? writeHalf : spline.valueType === 'float' ? writeFloat : writeDouble;
	out.length = write(out.bytes, out.length, value);
}
