import type { SpecSite } from '../pcp/prim-index.ts';
import type { PropertyIndex } from '../pcp/property-index.ts';
import { composePropertyIndex } from '../pcp/property-index.ts';
import type { PropertyDefinition } from '../schemas/property-definition.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, makeValue, type Value } from '../sdf/value.ts';
import { T, type Variability } from '../sdf/value-type.ts';
import { composeField, dictionaryEntry, metadataNames } from './metadata.ts';
import type { Prim } from './prim.ts';
import type { ValueContext } from './resolve-value.ts';

/** An attribute or relationship of a composed prim. Making one is cheap: it holds nothing but its prim and name. */
export abstract class Property {
	readonly prim: Prim;
	readonly name: string;

	constructor(prim: Prim, name: string) {
		this.prim = prim;
		this.name = name;
	}

	get path(): Path {
		return this.prim.path.appendProperty(this.name);
	}

	/** What schemas say about it; undefined when no schema has it. */
	get definition(): PropertyDefinition | undefined {
		return this.prim.definition.property(this.name);
	}

	/** Whether some layer has a spec of it. */
	get isAuthored(): boolean {
		const { specs } = this.prim.data;
		for (const { layer, path } of specs) if (layer.data.has(path.appendProperty(this.name))) return true;
		return false;
	}

	/** Whether it exists: authored or built in. */
	get isDefined(): boolean {
		return this.definition !== undefined || this.isAuthored;
	}

	/** Whether it belongs to no schema and some layer says so. */
	get isCustom(): boolean {
		if (this.definition !== undefined) return false;
		return this.specs().some(({ layer, path }) => dataOf(layer.data.field(path, 'custom'), T.bool) === true);
	}

	/** The variability that its schema gives, or the weakest opinion. */
	get variability(): Variability {
		const { definition } = this;
		if (definition?.kind === 'attribute') return definition.variability;
		const weakest = this.specs().at(-1);
		return dataOf(weakest?.layer.data.field(weakest.path, 'variability'), T.variability) ?? 'varying';
	}

	/** Its specs, strongest first, whatever their type. */
	specs(): SpecSite[] {
		const found: SpecSite[] = [];
		for (const { node, layer, path, offset } of this.prim.data.specs) {
			const propertyPath = path.appendProperty(this.name);
			if (layer.data.has(propertyPath)) found.push({ node, layer, path: propertyPath, offset });
		}
		return found;
	}

	/** The first of {@link specs}. */
	strongestSpec(): SpecSite | undefined {
		for (const { node, layer, path, offset } of this.prim.data.specs) {
			const propertyPath = path.appendProperty(this.name);
			if (layer.data.has(propertyPath)) return { node, layer, path: propertyPath, offset };
		}
		return undefined;
	}

	/** Its specs of one type, strongest first, with the conflicts between them. */
	index(): PropertyIndex {
		return composePropertyIndex(this.prim.data.index, this.name);
	}

	/** Names of the metadata that some layer has. */
	authoredMetadata(): string[] {
		return [...metadataNames(this.specs())].sort();
	}

	/** A metadata field, composed; its schema gives the fallback. */
	metadata(name: string, context: ValueContext = this.prim.valueContext): Value | undefined {
		switch (name) {
			case 'custom':
				return makeValue(T.bool, this.isCustom) as Value;
			case 'variability':
				return makeValue(T.variability, this.variability) as Value;
			default:
				return composeField(this.specs(), name, context, this.definition?.metadata.get(name));
		}
	}

	/** An entry of a dictionary field, composed, by its path of keys: `customData`, `a:b`. */
	metadataEntry(name: string, keyPath: string): Value | undefined {
		return dictionaryEntry(this.metadata(name), keyPath);
	}

	/** A metadata field as layers have it, without the fallback. */
	authoredMetadataValue(name: string, context: ValueContext = this.prim.valueContext): Value | undefined {
		return composeField(this.specs(), name, context);
	}
}
