import { composeTargets } from '../pcp/target-index.ts';
import { findAttributeType } from '../sdf/attribute-type.ts';
import type { Path } from '../sdf/path.ts';
import type { Spline } from '../sdf/spline.ts';
import { dataOf, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { Property } from './property.ts';
import { defaultValue, type ResolveInfo, resolveInfo, sampleTimes, valueAtTime } from './property-value.ts';
import { mapTargets } from './proxy-paths.ts';
import type { ValueContext } from './resolve-value.ts';
import { retimeSpline } from './spline-value.ts';

/** An attribute of a composed prim. */
export class Attribute extends Property {
	/** `point3f[]`; the one of its schema, else the strongest; '' when nobody says. */
	get typeName(): string {
		const { definition } = this;
		if (definition?.kind === 'attribute') return definition.typeName;
		for (const { layer, path } of this.specs()) {
			const name = dataOf(layer.data.field(path, 'typeName'), T.token);
			if (name !== undefined) return name;
		}
		return '';
	}

	/** The type of its values; undefined for types that nobody defines. */
	get valueType(): ValueType | undefined {
		return findAttributeType(this.typeName)?.valueType;
	}

	/** The value at a time of the stage, or at the default time without one; undefined when it has none. */
	get(time?: number, context: ValueContext = this.prim.valueContext): Value | undefined {
		const { data, stage } = this.prim;
		const definition = data.definition(stage.schemas).attribute(this.name);
		if (time === undefined) return defaultValue(data, this.name, definition, context);
		return valueAtTime(data, this.name, definition, time, stage.interpolation, context);
	}

	/** Where the value comes from: which kind of opinion, of which spec. Without a time: for any time but the default. */
	resolveInfo(time?: number | 'default'): ResolveInfo {
		const { data } = this.prim;
		return resolveInfo(data, this.name, this.definition, time === 'default');
	}

	/** Whether it has a value at some time, if only a fallback. */
	get hasValue(): boolean {
		return this.resolveInfo().source !== 'none' || this.resolveInfo('default').source !== 'none';
	}

	/** Whether a layer gives it a value. */
	get hasAuthoredValue(): boolean {
		const { source } = this.resolveInfo();
		return source !== 'none' && source !== 'fallback';
	}

	/** Times of its samples on the stage, ascending. */
	timeSamples(): number[] {
		return sampleTimes(this.prim.data, this.name);
	}

	/** Whether its value may differ between times. */
	get mightBeTimeVarying(): boolean {
		const { source } = this.resolveInfo();
		return (
			source === 'spline' || source === 'valueClips' || (source === 'timeSamples' && this.timeSamples().length > 1)
		);
	}

	/** The spline that gives its value, in the time of the stage. */
	spline(): Value<Spline> | undefined {
		const { source, site } = this.resolveInfo();
		if (source !== 'spline') return undefined;
		const spline = dataOf(site!.layer.data.field(site!.path, 'spline'), T.spline)!;
		return makeValue(T.spline, retimeSpline(spline, site!.offset));
	}

	/** Paths of the attributes it is connected to. */
	connections(): readonly Path[] {
		return mapTargets(this.prim, composeTargets(this.index()).paths);
	}

	get hasAuthoredConnections(): boolean {
		return this.specs().some(({ layer, path }) => layer.data.field(path, 'connectionPaths') !== undefined);
	}

	override metadata(name: string, context?: ValueContext): Value | undefined {
		if (name === 'typeName') return makeValue(T.token, this.typeName) as Value;
		return super.metadata(name, context);
	}
}
