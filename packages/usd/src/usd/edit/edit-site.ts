import { UsageRangeError, UsageStateError } from '@manyworlds/core';
import { invertOffset } from '../../pcp/layer-offset.ts';
import type { Layer } from '../../sdf/layer.ts';
import { type Path, PathKind } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import { dataOf, type LayerOffset } from '../../sdf/value.ts';
import type { ValueType } from '../../sdf/value-type.ts';
import type { Stage } from '../stage.ts';
import { toPath } from '../to-path.ts';

/** Finds and makes the specs that edits of a stage go to. */
export class EditSite {
	readonly #stage: Stage;

	constructor(stage: Stage) {
		this.#stage = stage;
	}

	get stage(): Stage {
		return this.#stage;
	}

	get layer(): Layer {
		return this.#stage.editTarget.layer;
	}

	/** How time on the stage maps to time in the layer. */
	get toLayerTime(): LayerOffset {
		return invertOffset(this.#stage.editTarget.offset);
	}

	/** Where an object of the stage is in the layer that is edited. */
	specPath(path: Path | string): Path {
		const at = toPath(path);
		if (!at.isAbsolute) throw new UsageRangeError(`<${at}> is not an absolute path`);
		const prim = this.#stage.prim(at.primPath);
		if (prim?.isInstanceProxy) {
			throw new UsageStateError(`<${at}> belongs to a prototype: edit the instance, or what it references`);
		}
		const spec = this.#stage.editTarget.mapToSpec(at);
		if (spec === undefined) throw new UsageRangeError(`<${at}> has no place in the layer that is edited`);
		return spec;
	}

	/** A path of the stage as a target in the layer that is edited. */
	targetPath(path: Path | string): Path {
		const at = toPath(path);
		const spec = this.#stage.editTarget.mapToSpec(at);
		if (spec === undefined) throw new UsageRangeError(`<${at}> has no place in the layer that is edited`);
		return spec.stripVariants();
	}

	/** The spec of a prim in the layer; an `over` when it was not there. */
	primSpec(path: Path | string): Path {
		const spec = this.specPath(path);
		if (!this.layer.has(spec)) {
			if (spec.kind === PathKind.variant) this.layer.createVariant(spec);
			else this.layer.createPrim(spec, { specifier: 'over' });
		}
		return spec;
	}

	/** The spec of an attribute in the layer, declared as schemas and other layers declare it when it was not there. */
	attributeSpec(path: Path | string): Path {
		const at = toPath(path);
		const spec = this.specPath(at);
		if (this.layer.specType(spec) === SpecType.attribute) return spec;
		const attribute = this.#stage.attribute(at);
		if (attribute === undefined) throw new UsageStateError(`there is no attribute <${at}>: create it first`);
		const { typeName, variability, isCustom } = attribute;
		this.primSpec(at.primPath);
		this.layer.createAttribute(spec, typeName, { variability, custom: isCustom });
		return spec;
	}

	/** The spec of a relationship in the layer, declared as schemas and other layers declare it when it was not there. */
	relationshipSpec(path: Path | string): Path {
		const at = toPath(path);
		const spec = this.specPath(at);
		if (this.layer.specType(spec) === SpecType.relationship) return spec;
		const relationship = this.#stage.relationship(at);
		if (relationship === undefined) throw new UsageStateError(`there is no relationship <${at}>: create it first`);
		this.primSpec(at.primPath);
		this.layer.createRelationship(spec, { custom: relationship.isCustom });
		return spec;
	}

	/** The spec of any object, for metadata. */
	objectSpec(path: Path | string): Path {
		const at = toPath(path);
		if (at.kind !== PathKind.property) return at.depth === 0 ? at : this.primSpec(at);
		return this.#stage.relationship(at) === undefined ? this.attributeSpec(at) : this.relationshipSpec(at);
	}

	/** The list-op of a field of a spec, if it has one. */
	listOp<D>(spec: Path, field: string, type: ValueType<D>): D | undefined {
		return dataOf(this.layer.field(spec, field), type);
	}
}
