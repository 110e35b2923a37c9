import type { CostAlongLine } from './cost-along-line.ts';

/** How the length of a Newton step is chosen. @public */
export type LineSearchVariant = 'exact_root' | 'armijo_decay' | 'monotone_decay';

/** Settings of the line searches. @public */
export interface LineSearchOptions {
	readonly lineSearchVariant: LineSearchVariant;
	readonly lineSearchMaxIterations: number;
	/** Share of the slope that a decrease must reach. */
	readonly armijoC: number;
	/** Factor between step lengths of `armijo_decay`, 0 to 1. */
	readonly rho: number;
	/** Rounding of the cost that is tolerated, relative. */
	readonly lineSearchRelativeSlop: number;
	readonly costAbsTol: number;
	readonly costRelTol: number;
}

/**
 * Sets `alpha` of a line to the length of the step along a descent direction, 0 when none was found. Three ways, of which the
 * first finds the minimum along the line:
 * - `exact_root`: Newton's method inside a bracket on the derivative, up to length 1.5;
 * - `armijo_decay`: the least of the costs at 1/ρ, 1, ρ, ρ², … that satisfies Armijo's rule;
 * - `monotone_decay`: 1, ½, ¼, … until the cost does not rise.
 */
export function searchLine(line: CostAlongLine, options: LineSearchOptions): void {
	switch (options.lineSearchVariant) {
		case 'armijo_decay':
			armijoDecay(line, options);
			break;
		case 'monotone_decay':
			monotoneDecay(line);
			break;
		default:
			exactRoot(line, options);
	}
}

const LONGEST_STEP = 1.5;
/** Relative accuracy of the exact root. */
const ROOT_TOLERANCE = 1e-8;

function exactRoot(line: CostAlongLine, options: LineSearchOptions): void {
	const { slope0 } = line;
	// in stiction and free motion the cost is quadratic and the full step is the minimum: one evaluation
	line.alpha = 1;
	line.evaluate();
	if (Math.abs(line.slope) <= ROOT_TOLERANCE * -slope0) return;
	if (-slope0 < options.costAbsTol + options.costRelTol * line.cost) return;
	let low = 0;
	let lowSlope = slope0;
	let high = 1;
	if (line.slope < 0) {
		low = 1;
		lowSlope = line.slope;
		high = LONGEST_STEP;
		line.alpha = LONGEST_STEP;
		line.evaluate();
		if (line.slope <= 0) return;
	}
	// cubic through the ends gives the first guess; a bad one is caught by the bracket
	let alpha = low + ((high - low) * -lowSlope) / (line.slope - lowSlope);
	const newton = high - line.slope / line.curvature;
	if (newton > low && newton < high) alpha = 0.5 * (alpha + newton);
	let previous = high - low;
	for (let i = 0; i < options.lineSearchMaxIterations; i++) {
		line.alpha = alpha;
		line.evaluate();
		const slope = line.slope;
		if (Math.abs(slope) <= ROOT_TOLERANCE * -slope0) return;
		if (slope < 0) low = alpha;
		else high = alpha;
		let step = -slope / line.curvature;
		// bisect when Newton leaves the bracket or does not halve the step before
		const isSlow = Math.abs(2 * step) > previous;
		if (!(alpha + step > low && alpha + step < high) || isSlow) step = 0.5 * (low + high) - alpha;
		previous = Math.abs(step);
		const isDone = previous <= ROOT_TOLERANCE * alpha * 1e-4;
		alpha += step;
		if (isDone) break;
	}
	line.alpha = alpha;
}

function armijoDecay(line: CostAlongLine, options: LineSearchOptions): void {
	const { armijoC, rho, lineSearchMaxIterations, lineSearchRelativeSlop } = options;
	const { cost0, slope0 } = line;
	line.alpha = 1 / rho;
	line.evaluate();
	const slop = 0.1 * lineSearchRelativeSlop * Math.max(1, 0.5 * (Math.abs(line.cost) + Math.abs(cost0)));
	if (line.slope < slop) return;
	for (let i = 1; i < lineSearchMaxIterations; i++) {
		const previousAlpha = line.alpha;
		const previousCost = line.cost;
		const alpha = previousAlpha * rho;
		line.alpha = alpha;
		line.evaluate();
		const cost = line.cost;
		const isEnough = cost < cost0 + armijoC * alpha * slope0;
		if (Math.abs((cost - previousCost) / (alpha - previousAlpha)) < slop) return;
		if (cost > previousCost && isEnough) {
			if (previousCost < cost0 + armijoC * previousAlpha * slope0) line.alpha = previousAlpha;
			return;
		}
	}
	if (!(line.cost < cost0 + armijoC * line.alpha * slope0)) line.alpha = 0;
}

function monotoneDecay(line: CostAlongLine): void {
	const { cost0 } = line;
	for (line.alpha = 1; line.alpha >= 1e-8; line.alpha *= 0.5) {
		line.evaluate();
		if (line.cost <= cost0 + 1e-14 + 1e-12 * Math.abs(cost0)) return;
	}
	line.alpha = 0;
}
