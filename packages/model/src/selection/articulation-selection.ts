import { COLUMNS } from '../columns.ts';
import { enumName, JointType } from '../enums.ts';
import type { Model } from '../model/model.ts';
import { ModelError } from '../model-error.ts';
import { isIndexList, type LabelPattern, matchLabels } from './match-labels.ts';

/** Which of the joints or links of the selected articulations. Patterns look at the last part of a label. @public */
export interface PartFilter {
	readonly include?: LabelPattern;
	readonly exclude?: LabelPattern;
}

/** Options of {@link selectArticulations}. @public */
export interface SelectionOptions {
	readonly joints?: PartFilter & {
		readonly includeTypes?: readonly JointType[];
		readonly excludeTypes?: readonly JointType[];
	};
	readonly links?: PartFilter;
	/** Whether joints that close loops are selected too. */
	readonly includeLoopJoints?: boolean;
	/**
	 * `flat`: one row for each instance, whatever worlds they are in. `grid`: the same number in every world, shape
	 * (worlds, per world, values).
	 */
	readonly layout?: 'flat' | 'grid';
}

/** Values of {@link SelectionOptions} that are used when absent. @public */
export const SELECTION_DEFAULTS: { readonly layout: 'flat' | 'grid' } = { layout: 'flat' };

/** One selected articulation. @public */
export interface SelectedInstance {
	/** -1 for a global one. */
	readonly world: number;
	readonly articulation: number;
	readonly label: string;
}

/** Values of all instances, and how they are laid out. @public */
export interface SelectedValues {
	readonly data: Float64Array;
	/** (instances, values) or (worlds, per world, values), then the dimensions of one value. */
	readonly shape: readonly number[];
}

/** Which instances a write touches. @public */
export interface SelectionWriteOptions {
	/** One entry for each world, or one for each instance; zero leaves it alone. */
	readonly mask?: ArrayLike<number | boolean>;
}

/** What can be read and written: per joint, degree of freedom, coordinate, link or shape. */
type SelectableEntity = 'joint' | 'jointDof' | 'jointCoord' | 'body' | 'shape';

/** Links that come with a state but are no authored column, with the entity and width of their rows. */
const STATE_ARRAYS: Readonly<Record<string, { readonly entity: SelectableEntity; readonly width: number }>> = {
	bodyF: { entity: 'body', width: 6 },
	bodyQdd: { entity: 'body', width: 6 },
	bodyParentF: { entity: 'body', width: 6 },
};

/**
 * Selects articulations by label over all worlds, and gives reading and writing access to their joints and links.
 * All instances must have the same structure; worlds may hold different numbers of them in the flat layout.
 * @example
 * ```ts
 * const arms = selectArticulations(model, 'env_*\/arm', { joints: { include: 'wrist*' } });
 * const q = arms.read('jointQ', state);
 * arms.write('jointQ', state, q.data, { mask: resetWorlds });
 * ```
 * @public
 */
export function selectArticulations(
	model: Model,
	pattern: LabelPattern,
	options: SelectionOptions = {},
): ArticulationSelection {
	return new ArticulationSelection(model, pattern, options);
}

/** Articulations of equal structure; see {@link selectArticulations}. @public */
export class ArticulationSelection {
	readonly model: Model;
	readonly layout: 'flat' | 'grid';
	readonly instances: readonly SelectedInstance[];
	/** First instance of each world, then their number; shape (worlds + 1). Global instances stand before the first world. */
	readonly worldStart: Int32Array;
	/** Instances in each world, in the grid layout. */
	readonly countPerWorld: number | undefined;
	/** Last parts and full labels of the selected joints and links of the first instance. */
	readonly jointNames: readonly string[];
	readonly jointLabels: readonly string[];
	readonly linkNames: readonly string[];
	readonly linkLabels: readonly string[];
	/** A name for each selected degree of freedom: the joint's, with `:i` where it has several. */
	readonly dofNames: readonly string[];
	/** Whether the root has no degrees of freedom, or moves freely. */
	readonly isFixedBase: boolean;
	readonly isFloatingBase: boolean;
	/** Rows of each kind, instance by instance. */
	readonly #rows: Readonly<Record<SelectableEntity, Int32Array>>;

	constructor(model: Model, pattern: LabelPattern, options: SelectionOptions) {
		this.model = model;
		this.layout = options.layout ?? SELECTION_DEFAULTS.layout;
		const found = findArticulations(model, pattern);
		this.instances = found.map((articulation) => ({
			world: model.articulationWorld[articulation]!,
			articulation,
			label: model.articulationLabels[articulation]!,
		}));
		this.worldStart = worldStarts(this.instances, model.worldCount);
		this.countPerWorld =
			this.layout === 'grid' ? gridCount(this.instances, this.worldStart, model.worldCount) : undefined;
		const template = describeArticulation(model, found[0]!, options);
		const parts = found.map((articulation, i) => {
			const part = i === 0 ? template : describeArticulation(model, articulation, options);
			checkSameStructure(model, template, part);
			return part;
		});
		this.#rows = {
			joint: concatenate(parts.map((part) => part.joints)),
			jointDof: concatenate(parts.map((part) => expand(part.joints, model.jointQdStart))),
			jointCoord: concatenate(parts.map((part) => expand(part.joints, model.jointQStart))),
			body: concatenate(parts.map((part) => part.links)),
			shape: concatenate(parts.map((part) => part.shapes)),
		};
		this.jointLabels = template.joints.map((joint) => model.jointLabels[joint]!);
		this.jointNames = this.jointLabels.map(lastPart);
		this.linkLabels = template.links.map((link) => model.bodyLabels[link]!);
		this.linkNames = this.linkLabels.map(lastPart);
		this.dofNames = template.joints.flatMap((joint, i) => {
			const count = model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
			return Array.from({ length: count }, (_, k) =>
				count === 1 ? this.jointNames[i]! : `${this.jointNames[i]}:${k}`,
			);
		});
		const root = model.articulationStart[found[0]!]!;
		this.isFixedBase = model.jointQdStart[root + 1] === model.jointQdStart[root];
		this.isFloatingBase = model.jointType[root] === JointType.FREE || model.jointType[root] === JointType.DISTANCE;
	}

	get count(): number {
		return this.instances.length;
	}

	/** Selected rows in one instance: joints, degrees of freedom, coordinates, links or shapes. */
	rowCount(entity: SelectableEntity): number {
		return this.#rows[entity].length / this.count;
	}

	/** One entry for each articulation of the model, 1 for the selected: a mask for kinematics. */
	articulationMask(): Uint8Array {
		const mask = new Uint8Array(this.model.articulationCount);
		for (const { articulation } of this.instances) mask[articulation] = 1;
		return mask;
	}

	/** Copies the values of an array of the model, a state or a control. */
	read(name: string, source: object): SelectedValues {
		const { rows, width, array } = this.#access(name, source);
		const data = new Float64Array(rows.length * width);
		for (let i = 0; i < rows.length; i++) {
			for (let k = 0; k < width; k++) data[i * width + k] = array[rows[i]! * width + k]!;
		}
		const values = rows.length / this.count;
		const lead =
			this.countPerWorld === undefined ? [this.count] : [this.count / this.countPerWorld, this.countPerWorld];
		return { data, shape: width === 1 ? [...lead, values] : [...lead, values, width] };
	}

	/** Writes values laid out as {@link read} gives them. Nothing outside the selection or the mask changes. */
	write(name: string, target: object, data: ArrayLike<number>, options: SelectionWriteOptions = {}): void {
		const { rows, width, array } = this.#access(name, target);
		if (data.length !== rows.length * width) {
			throw fault(`${data.length} numbers were given for '${name}', expected ${rows.length * width}`, name);
		}
		const isChosen = this.#maskTest(options.mask);
		const perInstance = rows.length / this.count;
		for (let i = 0; i < rows.length; i++) {
			if (!isChosen(Math.floor(i / perInstance))) continue;
			for (let k = 0; k < width; k++) array[rows[i]! * width + k] = data[i * width + k]!;
		}
	}

	#access(
		name: string,
		holder: object,
	): { rows: Int32Array; width: number; array: Float64Array | Int32Array | Uint8Array } {
		const column =
			(COLUMNS as Readonly<Record<string, { readonly entity: string; readonly width: number } | undefined>>)[name] ??
			STATE_ARRAYS[name];
		const entity = column?.entity;
		const array = (holder as Readonly<Record<string, unknown>>)[name];
		if (column === undefined || !isSelectable(entity)) {
			throw fault(`'${name}' is not an array of joints, degrees of freedom, coordinates, links or shapes`, name);
		}
		if (!(array instanceof Float64Array || array instanceof Int32Array || array instanceof Uint8Array)) {
			throw fault(`what was given has no array '${name}'`, name);
		}
		return { rows: this.#rows[entity], width: column.width, array };
	}

	/** Whether an instance is chosen by a mask over worlds or over instances. */
	#maskTest(mask: ArrayLike<number | boolean> | undefined): (instance: number) => boolean {
		if (mask === undefined) return () => true;
		if (mask.length === this.count) return (instance) => Boolean(mask[instance]);
		if (mask.length === this.model.worldCount) {
			return (instance) => this.instances[instance]!.world >= 0 && Boolean(mask[this.instances[instance]!.world]);
		}
		throw fault(
			`the mask has ${mask.length} entries, expected ${this.model.worldCount} worlds or ${this.count} instances`,
			'mask',
		);
	}
}

interface ArticulationParts {
	readonly articulation: number;
	readonly joints: number[];
	readonly links: number[];
	readonly shapes: number[];
}

function findArticulations(model: Model, pattern: LabelPattern): number[] {
	const found = matchLabels(pattern, model.articulationLabels);
	if (found.length === 0) {
		throw fault(
			`no articulation matches ${show(pattern)}; there are ${model.articulationCount}: ${model.articulationLabels.slice(0, 5).join(', ')}`,
			'articulation',
		);
	}
	if (isIndexList(pattern)) {
		found.forEach((index, i) => {
			if (
				!Number.isInteger(index) ||
				index < 0 ||
				index >= model.articulationCount ||
				(i > 0 && index <= found[i - 1]!)
			) {
				throw fault(
					`articulations [${found.join(', ')}] are not ascending indices below ${model.articulationCount}`,
					'articulation',
				);
			}
		});
	}
	const globals = found.filter((articulation) => model.articulationWorld[articulation]! < 0);
	if (globals.length > 0 && globals.length < found.length) {
		throw fault(
			`${show(pattern)} matches ${globals.length} global articulations and ${found.length - globals.length} in worlds: select them apart`,
			'articulation',
		);
	}
	return found;
}

function worldStarts(instances: readonly SelectedInstance[], worldCount: number): Int32Array {
	const starts = new Int32Array(worldCount + 1);
	let at = 0;
	for (let world = 0; world <= worldCount; world++) {
		while (at < instances.length && instances[at]!.world < world) at++;
		starts[world] = at;
	}
	return starts;
}

/** Instances in each world; all global ones count as one world. */
function gridCount(instances: readonly SelectedInstance[], starts: Int32Array, worldCount: number): number {
	if (instances[0]!.world < 0) return instances.length;
	const first = starts[1]! - starts[0]!;
	for (let world = 1; world < worldCount; world++) {
		const count = starts[world + 1]! - starts[world]!;
		if (count !== first) {
			throw fault(
				`world 0 has ${first} matching articulations and world ${world} has ${count}: the grid layout needs equal numbers, use the flat one`,
				'articulation',
			);
		}
	}
	return first;
}

/** The selected joints, links and shapes of one articulation. */
function describeArticulation(model: Model, articulation: number, options: SelectionOptions): ArticulationParts {
	const start = model.articulationStart[articulation]!;
	const treeEnd = model.articulationEnd[articulation]!;
	const end = options.includeLoopJoints ? model.articulationStart[articulation + 1]! : treeEnd;
	const all = Array.from({ length: end - start }, (_, i) => start + i);
	const { includeTypes, excludeTypes } = options.joints ?? {};
	const joints = filterParts(all, model.jointLabels, options.joints).filter((joint) => {
		const type = model.jointType[joint] as JointType;
		return (includeTypes?.includes(type) ?? true) && !(excludeTypes?.includes(type) ?? false);
	});
	const bodies = new Set<number>();
	for (let joint = start; joint < treeEnd; joint++) {
		// a root that hangs on another body brings that body along only if it is part of the tree
		if (joint > start && model.jointParent[joint]! >= 0) bodies.add(model.jointParent[joint]!);
		bodies.add(model.jointChild[joint]!);
	}
	const links = filterParts(
		[...bodies].sort((a, b) => a - b),
		model.bodyLabels,
		options.links,
	);
	const shapes = links.flatMap((link) => Array.from(model.shapesOf(link)));
	return { articulation, joints, links, shapes };
}

function filterParts(indices: readonly number[], labels: readonly string[], filter: PartFilter | undefined): number[] {
	const names = indices.map((index) => lastPart(labels[index]!));
	const included = new Set(filter?.include === undefined ? names.keys() : matchLabels(filter.include, names));
	const excluded = new Set(filter?.exclude === undefined ? [] : matchLabels(filter.exclude, names));
	return indices.filter((_, i) => included.has(i) && !excluded.has(i));
}

/** Throws with the first difference between an instance and the first one. */
function checkSameStructure(model: Model, first: ArticulationParts, other: ArticulationParts): void {
	const where = `articulation ${other.articulation} '${model.articulationLabels[other.articulation]}'`;
	for (const [kind, a, b] of [
		['joints', first.joints, other.joints],
		['links', first.links, other.links],
		['shapes', first.shapes, other.shapes],
	] as const) {
		if (a.length !== b.length) {
			throw fault(
				`${where} has ${b.length} selected ${kind}, the first one has ${a.length}: select equal articulations`,
				'articulation',
			);
		}
	}
	first.joints.forEach((joint, i) => {
		const twin = other.joints[i]!;
		const dofs = (j: number) => model.jointQdStart[j + 1]! - model.jointQdStart[j]!;
		if (model.jointType[joint] !== model.jointType[twin] || dofs(joint) !== dofs(twin)) {
			throw fault(
				`joint '${model.jointLabels[twin]}' of ${where} is ${typeName(model, twin)} with ${dofs(twin)} dofs, '${model.jointLabels[joint]}' of the first one is ${typeName(model, joint)} with ${dofs(joint)}`,
				'articulation',
			);
		}
	});
	const rootType = (part: ArticulationParts) => model.jointType[model.articulationStart[part.articulation]!]!;
	if (rootType(first) !== rootType(other))
		throw fault(`${where} has another kind of root joint than the first one`, 'articulation');
}

function typeName(model: Model, joint: number): string {
	return enumName(JointType, model.jointType[joint]!);
}

/** The rows of each joint, one after the other. */
function expand(joints: readonly number[], starts: Int32Array): number[] {
	return joints.flatMap((joint) =>
		Array.from({ length: starts[joint + 1]! - starts[joint]! }, (_, i) => starts[joint]! + i),
	);
}

function concatenate(parts: readonly (readonly number[])[]): Int32Array {
	return Int32Array.from(parts.flat());
}

function isSelectable(entity: string | undefined): entity is SelectableEntity {
	return (
		entity === 'joint' || entity === 'jointDof' || entity === 'jointCoord' || entity === 'body' || entity === 'shape'
	);
}

function lastPart(label: string): string {
	return label.slice(label.lastIndexOf('/') + 1);
}

function show(pattern: LabelPattern): string {
	if (pattern instanceof RegExp) return `${pattern}`;
	return typeof pattern === 'string' ? `'${pattern}'` : `[${pattern.join(', ')}]`;
}

function fault(message: string, label: string): ModelError {
	return new ModelError('MODEL060', message, { kind: 'selection', label });
}
