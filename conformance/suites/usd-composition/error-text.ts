import { type ErrorSite, type Layer, type Path, type PcpError, SpecType } from '@manyworlds/usd';
import { ARC_NAMES, ArcType } from '@manyworlds/usd/internal';

/** Names layers as the dump does. */
export type LayerName = (layer: Layer) => string;

/** What OpenUSD 25.8 prints about an error; the dumps hold its texts. */
export function errorText(error: PcpError, nameOf: LayerName): string {
	const at = ({ layer, path }: ErrorSite): string => `@${nameOf(layer)}@<${path}>`;
	switch (error.kind) {
		case 'ArcCycle':
			return cycleText(error, at);
		case 'ArcToProhibitedChild':
			return (
				`${at(error.site)}\nCANNOT ${CANNOT[error.arcType] ?? 'refer to'}:\n${at(error.target)}\n` +
				'which is a prohibited child of its parent because it would require allowing opinions from the source of a ' +
				`relocation at ${at(error.relocationSource)}.`
			);
		case 'InconsistentPropertyType':
			return (
				`The property <${error.root.path}> has inconsistent spec types.  The defining spec is ${at(error.defining)} ` +
				`and is ${specName(error.definingType)} spec.  The conflicting spec is ${at(error.conflicting)} and is ` +
				`${specName(error.conflictingType)} spec.  The conflicting spec will be ignored.`
			);
		case 'InvalidPrimPath':
			return (
				`Invalid ${ARC_NAMES[error.arcType]} path <${error.primPath}> introduced by ` +
				`@${error.sourceLayer === undefined ? '' : nameOf(error.sourceLayer)}@<${error.site.path}>` +
				'-- must be an absolute prim path with no variant selections.'
			);
		case 'InvalidAssetPath':
			return (
				`Could not open asset @${nameAsset(error.sourceLayer, error.assetPath, nameOf)}@ for ` +
				`${ARC_NAMES[error.arcType]} introduced by ${at({ layer: error.sourceLayer, path: error.site.path })}.`
			);
		case 'UnresolvedPrimPath':
			return (
				`Unresolved ${ARC_NAMES[error.arcType]} prim path ` +
				`@${nameOf(error.targetLayer)}@<${error.unresolvedPath ?? 'defaultPrim'}> introduced by ` +
				at({ layer: error.sourceLayer, path: error.site.path })
			);
		case 'OpinionAtRelocationSource':
			return (
				`The layer @${nameOf(error.layer)}@ has an invalid opinion at the relocation source path <${error.path}>, ` +
				'which will be ignored.'
			);
		case 'VariableExpressionError': {
			const path = error.sourcePath.isAbsoluteRoot ? '' : `at ${error.sourcePath} `;
			return (
				`Error evaluating expression ${error.expression.slice(0, 32)} for ${error.context} ` +
				`${path}in @${nameOf(error.sourceLayer)}@: ${error.reasons.join('; ')}`
			);
		}
		case 'InvalidExternalTargetPath':
			return (
				`${targetName(error.ownerType, error.targetPath, error.owner, nameOf)} refers to a path outside the scope of ` +
				`the ${ARC_NAMES[error.arcType]} from <${error.introPath}>.  Ignoring.`
			);
		case 'InvalidInstanceTargetPath':
			return (
				`${targetName(error.ownerType, error.targetPath, error.owner, nameOf)} is authored in a class but refers to ` +
				'an instance of that class.  Ignoring.'
			);
		case 'SublayerCycle':
			return (
				`Sublayer hierarchy with root layer @${nameOf(error.layer)}@ has cycles. Detected when layer ` +
				`@${nameOf(error.sublayer)}@ was seen in the layer stack for the second time.`
			);
		case 'InvalidSublayerPath':
			return (
				`Could not load sublayer @${nameAsset(error.layer, error.sublayerPath, nameOf)}@ of layer ` +
				`@${nameOf(error.layer)}@; skipping.`
			);
		case 'InvalidAuthoredRelocation': {
			const { layer, source, target } = error.relocate;
			return (
				`Relocation from <${source}> to <${target}> authored at @${nameOf(layer)}@</> is invalid and will be ` +
				`ignored: ${RELOCATE_FAULTS[error.fault]}`
			);
		}
		case 'InvalidConflictingRelocation': {
			const { relocate, conflict } = error;
			return (
				`Relocation from <${relocate.source}> to <${relocate.target}> authored at @${nameOf(relocate.layer)}@</> ` +
				`conflicts with another relocation from <${conflict.source}> to <${conflict.target}> authored at ` +
				`@${nameOf(conflict.layer)}@</> and will be ignored: ${RELOCATE_CONFLICTS[error.reason]}`
			);
		}
		case 'InvalidSameTargetRelocations': {
			const sources = error.relocates.map(
				({ layer, source }) => `relocation from <${source}> authored at @${nameOf(layer)}@</>`,
			);
			return (
				`The path <${error.target}> is the target of multiple relocations from different sources. The following ` +
				`relocates to this target are invalid and will be ignored: ${sources.join('; ')}.`
			);
		}
		default:
			return error.kind;
	}
}

type CycleError = Extract<PcpError, { kind: 'ArcCycle' }>;

function cycleText(error: CycleError, at: (site: ErrorSite) => string): string {
	let text = 'Cycle detected:\n';
	const last = error.cycle.length - 1;
	for (const [i, step] of error.cycle.entries()) {
		if (i > 0 && i < last) text += `${DOES[step.arcType] ?? 'refers to'}:\n`;
		else if (i > 0) text += `CANNOT ${CANNOT[step.arcType] ?? 'refer to'}:\n`;
		text += `${at(step)}\n`;
		if (i > 0 && i < last) text += 'which ';
	}
	return text;
}

const DOES: Readonly<Partial<Record<number, string>>> = {
	[ArcType.inherit]: 'inherits from',
	[ArcType.relocate]: 'is relocated from',
	[ArcType.variant]: 'uses variant',
	[ArcType.reference]: 'references',
	[ArcType.payload]: 'gets payload from',
};

const CANNOT: Readonly<Partial<Record<number, string>>> = {
	[ArcType.inherit]: 'inherit from',
	[ArcType.relocate]: 'be relocated from',
	[ArcType.variant]: 'use variant',
	[ArcType.reference]: 'reference',
	[ArcType.payload]: 'get payload from',
};

const RELOCATE_FAULTS: Readonly<Record<string, string>> = {
	relative: 'Relocates must use absolute paths.',
	'not-a-prim': 'Only prims can be relocated.',
	'variant-selection': 'Relocates cannot have any variant selections.',
	'no-source': 'Relocates source paths cannot be empty.',
	same: 'The target of a relocate cannot be the same as its source.',
	'target-below-source': 'The target of a relocate cannot be a descendant of its source.',
	'target-above-source': 'The target of a relocate cannot be an ancestor of its source.',
	'root-prim': 'Root prims cannot be the source of a relocate.',
};

const RELOCATE_CONFLICTS: Readonly<Record<string, string>> = {
	'target-is-source': 'The target of a relocate cannot be the source of another relocate in the same layer stack.',
	'source-is-target': 'The source of a relocate cannot be the target of another relocate in the same layer stack.',
	'target-below-source': 'The target of a relocate cannot be a descendant of the source of another relocate.',
	'source-below-source': 'The source of a relocate cannot be a descendant of the source of another relocate.',
};

function specName(type: SpecType): string {
	return type === SpecType.attribute ? 'an attribute' : 'a relationship';
}

function targetName(type: SpecType, target: Path, owner: ErrorSite, nameOf: LayerName): string {
	const what = type === SpecType.attribute ? 'attribute connection' : 'relationship target';
	return `The ${what} <${target}> from <${owner.path}> in layer @${nameOf(owner.layer)}@`;
}

/** An asset path beside the layer that names it. */
function nameAsset(anchor: Layer, assetPath: string, nameOf: LayerName): string {
	const folder = nameOf(anchor).replace(/[^/]*$/, '');
	return `${folder}${assetPath}`.replaceAll('/./', '/');
}
