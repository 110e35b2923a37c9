import type { XmlElement } from '@manyworlds/core/internal';
import { URDF_CHILDREN, URDF_REASONS } from '@manyworlds/formats/internal';
import type { CollapseResult, ModelBuilder } from '@manyworlds/model';
import type { Ledger, LedgerConversion, LedgerOutcome, Provenance } from '../ledger.ts';

/** What a row of a model array belongs to, with an index of the builder. */
export interface ModelRow {
	readonly array: string;
	readonly entity: 'body' | 'joint' | 'shape' | 'dof' | 'mimic';
	readonly index: number;
	/** Degree of freedom of the joint. */
	readonly dof?: number;
}

/** Enters every attribute of a URDF into a ledger and tells it what becomes of them. */
export class UrdfLedger {
	readonly #ledger: Ledger;
	readonly #paths = new Map<XmlElement, string>();
	readonly #rows: GivenRow[] = [];

	constructor(ledger: Ledger, root: XmlElement) {
		this.#ledger = ledger;
		this.#enter(root);
	}

	/** Path of an element, such as `robot/link[base]/visual#0/origin`. */
	pathOf(element: XmlElement): string {
		return this.#paths.get(element) ?? element.name;
	}

	/** The attribute decided what was built; one that is not authored has no entry to mark. */
	use(element: XmlElement | undefined, name: string, outcome: LedgerOutcome = {}): void {
		if (element !== undefined) this.#ledger.use(this.pathOf(element), name, outcome);
	}

	keep(element: XmlElement, name: string, outcome: LedgerOutcome): void {
		this.#ledger.keep(this.pathOf(element), name, outcome);
	}

	ignore(element: XmlElement | undefined, name: string, reason: string): void {
		if (element !== undefined) this.#ledger.ignore(this.pathOf(element), name, reason);
	}

	/** Nothing of an element and of what is inside it has an effect. */
	ignoreAll(element: XmlElement, reason: string): void {
		const open = [element];
		for (let one = open.pop(); one !== undefined; one = open.pop()) {
			for (const { name } of one.attributes) this.#ledger.ignore(this.pathOf(one), name, reason);
			open.push(...one.children);
		}
	}

	/** An attribute, or the default when it is not authored, gave a row of a model array. */
	give(row: ModelRow, element: XmlElement | undefined, name: string, settings: GiveSettings): void {
		const attribute = element?.attribute(name);
		if (element === undefined || attribute === undefined || settings.isRead === false) {
			this.#rows.push({ row, source: settings.absent, conversion: undefined });
			return;
		}
		const path = this.pathOf(element);
		const source: Provenance = { source: 'authored', path, name, value: attribute.value, why: settings.why };
		const { conversion } = settings;
		// the mark stands even when the row is merged away
		if (conversion === undefined) this.#ledger.use(path, name);
		else this.#ledger.convert(path, name, conversion);
		this.#rows.push({ row, source, conversion });
	}

	/** A row that no attribute gave. */
	computed(row: ModelRow, source: Provenance): void {
		this.#rows.push({ row, source, conversion: undefined });
	}

	/** Writes the rows into the ledger under their final indices; those of merged bodies and joints are gone. */
	settle(builder: ModelBuilder, collapse: CollapseResult | undefined): void {
		const starts = builder.column('jointQdStart');
		for (const { row, source, conversion } of this.#rows) {
			const entity = entityAfter(row, collapse);
			if (entity === undefined || entity < 0) continue;
			const index = row.entity === 'dof' ? starts[entity]! + (row.dof ?? 0) : entity;
			this.#ledger.give(row.array, index, source);
			const { path, name } = source;
			if (path === undefined || name === undefined) continue;
			const target = `${row.array}[${index}]`;
			if (conversion === undefined) this.#ledger.use(path, name, { target });
			else this.#ledger.convert(path, name, { ...conversion, target });
		}
	}

	#enter(root: XmlElement): void {
		const open: { readonly element: XmlElement; readonly path: string; readonly reason: string | undefined }[] = [
			{ element: root, path: root.name, reason: undefined },
		];
		for (let top = open.pop(); top !== undefined; top = open.pop()) {
			const { element, path, reason } = top;
			this.#paths.set(element, path);
			for (const attribute of element.attributes) {
				const site = {
					...(attribute.file === undefined ? {} : { file: attribute.file }),
					range: attribute.range,
					value: shorten(attribute.value),
				};
				this.#ledger.author(path, attribute.name, site);
				if (reason !== undefined) this.#ledger.ignore(path, attribute.name, reason);
				else if (attribute.name.startsWith('xmlns'))
					this.#ledger.ignore(path, attribute.name, 'it declares a namespace');
			}
			const steps = stepsOf(element);
			const known = URDF_CHILDREN[element.name] ?? [];
			for (let i = element.children.length - 1; i >= 0; i--) {
				const child = element.children[i]!;
				const isRead = known.includes(child.name);
				const why =
					reason ??
					(isRead ? undefined : (URDF_REASONS[child.name] ?? `<${child.name}> is not read in <${element.name}>`));
				open.push({ element: child, path: `${path}/${steps[i]}`, reason: why });
			}
		}
	}
}

/** A row with what gave it. */
interface GivenRow {
	readonly row: ModelRow;
	readonly source: Provenance;
	readonly conversion: LedgerConversion | undefined;
}

function entityAfter(row: ModelRow, collapse: CollapseResult | undefined): number | undefined {
	if (collapse === undefined || row.entity === 'shape' || row.entity === 'mimic') return row.index;
	return (row.entity === 'body' ? collapse.bodyRemap : collapse.jointRemap).get(row.index);
}

/** How an attribute becomes a row. */
export interface GiveSettings {
	/** Why the attribute decided. */
	readonly why: string;
	/** What decided when it is not authored. */
	readonly absent: Provenance;
	readonly conversion?: LedgerConversion;
	/** False when the attribute is there but was not usable. */
	readonly isRead?: boolean;
}

/** One step of a path for each child: by its name if it has one of its own, else by number where there are several. */
function stepsOf(element: XmlElement): string[] {
	const counts = new Map<string, number>();
	const names = new Map<string, number>();
	const keyOf = (child: XmlElement): string => `${child.name}\n${child.get('name') ?? ''}`;
	for (const child of element.children) {
		counts.set(child.name, (counts.get(child.name) ?? 0) + 1);
		names.set(keyOf(child), (names.get(keyOf(child)) ?? 0) + 1);
	}
	const used = new Map<string, number>();
	return element.children.map((child) => {
		const at = used.get(child.name) ?? 0;
		used.set(child.name, at + 1);
		const name = child.get('name');
		if (name && names.get(keyOf(child)) === 1) return `${child.name}[${name.replace(/[\]/\\]/g, '\\$&')}]`;
		return counts.get(child.name) === 1 ? child.name : `${child.name}#${at}`;
	});
}

function shorten(text: string): string {
	return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
