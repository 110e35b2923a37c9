import { quote, type Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { MjcfElement } from './mjcf-element.ts';
import { type AssetFolders, foldersOf } from './mjcf-file.ts';
import { readNumbers } from './mjcf-numbers.ts';

/** Settings of the `compiler` elements, with MuJoCo's defaults. @public */
export interface MjcfCompiler {
	/** Whether angles are in degrees. */
	readonly degree: boolean;
	/** Three axes; lower case turns with the frame, upper case stays with the parent. */
	readonly eulerSequence: string;
	/** Whether a range alone switches its limit on. */
	readonly autoLimits: boolean;
	readonly inertiaFromGeom: 'auto' | 'true' | 'false';
	/** Groups of geoms that weigh, first and last. */
	readonly inertiaGroupRange: readonly [number, number];
	/** Lowest mass [kg] and inertia [kg·m²]; 0 for none. */
	readonly boundMass: number;
	readonly boundInertia: number;
	/** Whether inertias that break the triangle inequality are replaced by their mean. */
	readonly balanceInertia: boolean;
	/** Mass that the whole model is scaled to [kg]; not positive: as it is. */
	readonly setTotalMass: number;
	readonly fuseStatic: boolean;
	readonly discardVisual: boolean;
	/** Whether primitives are fitted to the bounding box of a mesh instead of its inertia box. */
	readonly fitAabb: boolean;
	readonly folders: AssetFolders;
}

/** Values of {@link MjcfCompiler} that are used when absent. @public */
export const MJCF_COMPILER_DEFAULTS: MjcfCompiler = {
	degree: true,
	eulerSequence: 'xyz',
	autoLimits: true,
	inertiaFromGeom: 'auto',
	inertiaGroupRange: [0, 5],
	boundMass: 0,
	boundInertia: 0,
	balanceInertia: false,
	setTotalMass: -1,
	fuseStatic: false,
	discardVisual: false,
	fitAabb: false,
	folders: { mesh: '', texture: '', stripPath: false },
};

/** Merges the `compiler` elements of a model; later ones count. */
export function readCompiler(elements: readonly MjcfElement[], report: Report): MjcfCompiler {
	const reader = new CompilerReader(elements, report);
	const d = MJCF_COMPILER_DEFAULTS;
	return {
		degree: reader.choice('angle', ['degree', 'radian'], 'degree') === 'degree',
		eulerSequence: reader.eulerSequence(),
		autoLimits: reader.flag('autolimits', d.autoLimits),
		inertiaFromGeom: reader.choice('inertiafromgeom', ['auto', 'true', 'false'], d.inertiaFromGeom),
		inertiaGroupRange: reader.groupRange(),
		boundMass: reader.number('boundmass', d.boundMass),
		boundInertia: reader.number('boundinertia', d.boundInertia),
		balanceInertia: reader.flag('balanceinertia', d.balanceInertia),
		setTotalMass: reader.number('settotalmass', d.setTotalMass),
		fuseStatic: reader.flag('fusestatic', d.fuseStatic),
		discardVisual: reader.flag('discardvisual', d.discardVisual),
		fitAabb: reader.flag('fitaabb', d.fitAabb),
		folders: foldersOf({ get: (name) => reader.text(name) }),
	};
}

class CompilerReader {
	readonly #elements: readonly MjcfElement[];
	readonly #report: Report;

	constructor(elements: readonly MjcfElement[], report: Report) {
		this.#elements = elements;
		this.#report = report;
	}

	text(name: string): string | undefined {
		return this.#holder(name)?.get(name);
	}

	choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
		const value = this.text(name)?.trim().toLowerCase();
		if (value === undefined) return fallback;
		if ((allowed as readonly string[]).includes(value)) return value as T;
		this.#fault(name, `expected ${allowed.join(' or ')}`);
		return fallback;
	}

	flag(name: string, fallback: boolean): boolean {
		return this.choice(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
	}

	number(name: string, fallback: number): number {
		const text = this.text(name);
		if (text === undefined) return fallback;
		const numbers = readNumbers(text);
		if (numbers?.length === 1) return numbers[0]!;
		this.#fault(name, 'expected a number');
		return fallback;
	}

	groupRange(): readonly [number, number] {
		const text = this.text('inertiagrouprange');
		if (text === undefined) return MJCF_COMPILER_DEFAULTS.inertiaGroupRange;
		const numbers = readNumbers(text);
		if (numbers?.length === 2) return [numbers[0]!, numbers[1]!];
		this.#fault('inertiagrouprange', 'expected two whole numbers');
		return MJCF_COMPILER_DEFAULTS.inertiaGroupRange;
	}

	eulerSequence(): string {
		const text = this.text('eulerseq');
		if (text === undefined) return MJCF_COMPILER_DEFAULTS.eulerSequence;
		if (/^[xyzXYZ]{3}$/.test(text)) return text;
		this.#fault('eulerseq', 'expected three of x, y, z, X, Y, Z');
		return MJCF_COMPILER_DEFAULTS.eulerSequence;
	}

	#holder(name: string): MjcfElement | undefined {
		return this.#elements.findLast((element) => element.get(name) !== undefined);
	}

	#fault(name: string, expected: string): void {
		const attribute = this.#holder(name)!.attribute(name)!;
		const message = `${name} of compiler is ${quote(attribute.value)}, ${expected}`;
		this.#report.add(createDiagnostic('MJCF006', message, attribute.location));
	}
}
