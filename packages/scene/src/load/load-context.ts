import type { DiagnosticDetails, Report } from '@manyworlds/core';
import type { MeshColliders } from '@manyworlds/import';
import { type ModelBuilder, ModelError } from '@manyworlds/model';
import type { AssetStore } from '@manyworlds/usd';
import { createDiagnostic, type SceneCode } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import { formatScenePath } from '../read-scene.ts';
import type { SceneDocument, ScenePath } from '../scene-document.ts';
import type { SceneBodyRef, SceneJointRef } from '../schema/joint.ts';
import type { ShapeDefaults } from './shape-defaults.ts';

/** Findings that may only follow from a missing asset. */
const CONSEQUENCES: ReadonlySet<SceneCode> = new Set(['SCN020', 'SCN021', 'SCN022', 'SCN040', 'SCN041']);

/** What the steps of a load share. */
export class LoadContext {
	readonly document: SceneDocument;
	readonly report: Report;
	readonly builder: ModelBuilder;
	readonly store: AssetStore | undefined;
	/** Name of the scene file. */
	readonly file: string;
	readonly isStrict: boolean;
	readonly meshColliders: MeshColliders;
	readonly filterJoinedParts: boolean;
	readonly renamedPackages: boolean;
	/** Settings of shapes that give none. */
	shapeDefaults: ShapeDefaults;
	/** Added to the diagonal of body inertias [kg·m²]. */
	bodyArmature = 0;
	readonly unsupportedFeatures: string[] = [];
	/** Whether an asset is missing: a strict load then says nothing of indices and names that lead nowhere for that reason. */
	isIncomplete = false;
	/** Bodies and joints by the ids of the scene; undefined for those that could not be added. */
	readonly bodyIds: Map<string, number | undefined> = new Map();
	readonly jointIds: Map<string, number | undefined> = new Map();

	constructor(options: {
		readonly document: SceneDocument;
		readonly report: Report;
		readonly builder: ModelBuilder;
		readonly store: AssetStore | undefined;
		readonly file: string;
		readonly isStrict: boolean;
		readonly shapeDefaults: ShapeDefaults;
		readonly meshColliders: MeshColliders;
		readonly filterJoinedParts: boolean;
		readonly renamedPackages: boolean;
	}) {
		this.document = options.document;
		this.report = options.report;
		this.builder = options.builder;
		this.store = options.store;
		this.file = options.file;
		this.isStrict = options.isStrict;
		this.shapeDefaults = options.shapeDefaults;
		this.meshColliders = options.meshColliders;
		this.filterJoinedParts = options.filterJoinedParts;
		this.renamedPackages = options.renamedPackages;
	}

	/** Reports something about the value at a path, whose name begins the message. */
	add(code: SceneCode, path: ScenePath, message: string, details: DiagnosticDetails = {}): undefined {
		if (this.isIncomplete && this.isStrict && CONSEQUENCES.has(code)) return undefined;
		const text = `${formatScenePath(path) || 'the scene'} ${message}`;
		this.report.add(createDiagnostic(code, text, { ...this.document.locate(path), ...details }));
		return undefined;
	}

	/** Records a feature that cannot be loaded: an error for a strict load, else a warning. */
	addUnsupported(feature: string, path: ScenePath, code: SceneCode = 'SCN030', more = ''): void {
		this.unsupportedFeatures.push(feature);
		const severity = this.isStrict ? 'error' : 'warning';
		const message = `unsupported feature: ${feature}${more}`;
		this.report.add(createDiagnostic(code, message, { ...this.document.locate(path), severity }));
	}

	/** Runs a change of the builder; what the builder refuses is reported at the path. */
	try<T>(path: ScenePath, change: () => T): T | undefined {
		try {
			return change();
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
			return this.add('SCN025', path, `cannot be added: ${error.message} (${error.code})`);
		}
	}

	/** The body that a reference means, -1 for the world; undefined after a diagnostic. */
	body(ref: SceneBodyRef, path: ScenePath): number | undefined {
		if (typeof ref === 'number') {
			if (ref >= -1 && ref < this.builder.bodyCount) return ref;
			return this.add('SCN020', path, `is body ${ref}, expected ${this.#range(this.builder.bodyCount)} or world`);
		}
		if (this.bodyIds.has(ref)) return this.bodyIds.get(ref);
		const similar = nearestName(ref, this.bodyIds.keys());
		const hint = similar === undefined ? '' : `; did you mean '${similar}'?`;
		return this.add('SCN020', path, `is '${ref}', which no inline body has as its id${hint}`);
	}

	/** The joint that a label or number means, or what is wrong with it. */
	findJoint(ref: SceneJointRef): number | { readonly code: 'SCN021' | 'SCN022'; readonly message: string } {
		const labels = this.builder.labels('joint');
		if (typeof ref === 'number') {
			if (ref >= 0 && ref < labels.length) return ref;
			return { code: 'SCN021', message: `is joint ${ref}, expected ${this.#range(labels.length)}` };
		}
		const exact = indicesOf(labels, (label) => label === ref);
		const found = exact.length > 0 ? exact : indicesOf(labels, (label) => label.endsWith(`/${ref}`));
		if (exact.length > 1) {
			// several equal labels: the reference may still be the end of one other label
			const suffix = indicesOf(labels, (label) => label.endsWith(`/${ref}`));
			if (suffix.length === 1) return suffix[0]!;
		}
		if (found.length === 1) return found[0]!;
		if (found.length > 1) {
			const names = found.slice(0, 4).map((joint) => `'${labels[joint]}'`);
			return { code: 'SCN022', message: `is '${ref}', which ${found.length} joints have: ${names.join(', ')}` };
		}
		const ends = labels.flatMap((label) => [label, label.slice(label.lastIndexOf('/') + 1)]);
		const similar = nearestName(ref, ends);
		const hint = similar === undefined ? '' : `; did you mean '${similar}'?`;
		return { code: 'SCN021', message: `is '${ref}', which no joint has as its label or behind a '/'${hint}` };
	}

	#range(count: number): string {
		return count === 0 ? 'none, as there are none' : `0 to ${count - 1}`;
	}
}

function indicesOf(labels: readonly string[], matches: (label: string) => boolean): number[] {
	const found: number[] = [];
	labels.forEach((label, i) => {
		if (matches(label)) found.push(i);
	});
	return found;
}
