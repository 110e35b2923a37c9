import { type Diagnostic, quote } from '@manyworlds/core';
import { baseName } from '../ar/file-path.ts';
import type { LocatedPlace, SourcePlaces } from '../ar/source-places.ts';
import { createDiagnostic, type UsdCode } from '../diagnostics.ts';
import { ARC_NAMES, ArcType } from '../pcp/arc-type.ts';
import type { AuthoredRelocate, PcpError, PcpErrorKind, RelocateConflict, RelocateFault } from '../pcp/pcp-error.ts';
import type { Layer } from '../sdf/layer.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, type LayerOffset } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';

/** A composition error for people: what is wrong, located where it was authored. `data.kind` is OpenUSD's name of it. */
export function diagnoseComposition(error: PcpError, places: SourcePlaces): Diagnostic {
	const { message, place, arc } = describe(error, places);
	return createDiagnostic(CODES[error.kind], message, {
		...place,
		prim: error.root.path.toString(),
		...(arc !== undefined && { arc }),
		data: { kind: error.kind },
	});
}

/** The field that holds arcs of a type. */
export const ARC_FIELDS: { readonly [type: number]: string } = {
	[ArcType.inherit]: 'inheritPaths',
	[ArcType.variant]: 'variantSetNames',
	[ArcType.relocate]: 'layerRelocates',
	[ArcType.reference]: 'references',
	[ArcType.payload]: 'payload',
	[ArcType.specialize]: 'specializes',
};

const CODES: Readonly<Record<PcpErrorKind, UsdCode>> = {
	ArcCycle: 'PCP001',
	SublayerCycle: 'PCP002',
	InvalidAssetPath: 'PCP003',
	MutedAssetPath: 'PCP020',
	InvalidSublayerPath: 'PCP004',
	UnresolvedPrimPath: 'PCP005',
	InvalidPrimPath: 'PCP006',
	InvalidReferenceOffset: 'PCP007',
	InvalidSublayerOffset: 'PCP008',
	InvalidSublayerOwnership: 'PCP009',
	VariableExpressionError: 'PCP010',
	InconsistentPropertyType: 'PCP011',
	InvalidExternalTargetPath: 'PCP012',
	InvalidInstanceTargetPath: 'PCP013',
	InvalidAuthoredRelocation: 'PCP014',
	InvalidConflictingRelocation: 'PCP015',
	InvalidSameTargetRelocations: 'PCP016',
	OpinionAtRelocationSource: 'PCP017',
	ArcToProhibitedChild: 'PCP018',
	CapacityExceeded: 'PCP019',
};

interface Description {
	readonly message: string;
	readonly place: LocatedPlace;
	readonly arc?: string;
}

function describe(error: PcpError, places: SourcePlaces): Description {
	switch (error.kind) {
		case 'ArcCycle': {
			const { cycle } = error;
			const last = cycle[cycle.length - 1]!;
			const from = cycle[cycle.length - 2] ?? last;
			const arc = ARC_NAMES[last.arcType]!;
			const steps = cycle.map(({ layer, path }) => `${places.name(layer)}<${path}>`);
			const message = `the ${arc} to <${last.path}> closes a cycle: ${shorten(steps).join(' -> ')}`;
			return { message, place: arcPlace(from.layer, from.path, last.arcType, last.path.toString(), places), arc };
		}
		case 'InvalidAssetPath': {
			const { sourceLayer, site, arcType, assetPath, reason } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the ${arc} @${quoted(assetPath)}@ cannot be opened: ${whyNot(reason)}`;
			return { message, place: arcPlace(sourceLayer, site.path, arcType, assetPath, places), arc };
		}
		case 'MutedAssetPath': {
			const { sourceLayer, site, arcType, assetPath } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the ${arc} @${quoted(assetPath)}@ leads to a muted layer`;
			return { message, place: arcPlace(sourceLayer, site.path, arcType, assetPath, places), arc };
		}
		case 'InvalidSublayerPath': {
			const { layer, sublayerPath, reason } = error;
			const message = `the sublayer @${quoted(sublayerPath)}@ cannot be opened: ${whyNot(reason)}`;
			return { message, place: places.field(layer, Path.root, 'subLayers', sublayerPath) };
		}
		case 'SublayerCycle': {
			const { layer, sublayer } = error;
			const message =
				layer === sublayer
					? 'the layer is its own sublayer'
					: `the sublayer ${quote(places.name(sublayer))} has this layer below it, so that the layers form a cycle`;
			return { message, place: sublayerPlace(layer, sublayer, places) };
		}
		case 'UnresolvedPrimPath': {
			const { sourceLayer, site, arcType, targetLayer, unresolvedPath } = error;
			const arc = ARC_NAMES[arcType]!;
			const target = quote(places.name(targetLayer));
			const message =
				unresolvedPath === undefined
					? `the ${arc} names no prim and ${target} has no defaultPrim`
					: `the ${arc} leads to <${unresolvedPath}>, which is not in ${target}`;
			return { message, place: arcPlace(sourceLayer, site.path, arcType, unresolvedPath?.toString(), places), arc };
		}
		case 'InvalidPrimPath': {
			const { site, sourceLayer, arcType, primPath } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the ${arc} has the path <${primPath}>, expected an absolute prim path without variants`;
			return {
				message,
				place: arcPlace(sourceLayer ?? site.layer, site.path, arcType, primPath.toString(), places),
				arc,
			};
		}
		case 'InvalidReferenceOffset': {
			const { site, sourceLayer, arcType, assetPath, offset } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the ${arc} @${quoted(assetPath)}@ has ${offsetText(offset)}, expected finite numbers and a scale that is not 0`;
			return { message, place: arcPlace(sourceLayer, site.path, arcType, assetPath, places), arc };
		}
		case 'InvalidSublayerOffset': {
			const { layer, sublayer, offset } = error;
			const message = `the sublayer ${quote(places.name(sublayer))} has ${offsetText(offset)}, expected finite numbers and a scale that is not 0`;
			return { message, place: sublayerPlace(layer, sublayer, places) };
		}
		case 'InvalidSublayerOwnership': {
			const { layer, owner, sublayers } = error;
			const names = sublayers.map((sublayer) => quote(places.name(sublayer))).join(', ');
			const message = `several sublayers belong to ${quote(owner)}: ${names}, expected one`;
			return { message, place: places.field(layer, Path.root, 'subLayers') };
		}
		case 'VariableExpressionError': {
			const { expression, context, sourceLayer, sourcePath, reasons } = error;
			const field = EXPRESSION_FIELDS[context];
			const message = `the expression ${quote(expression)} of a ${context} cannot be evaluated: ${reasons.join('; ')}`;
			return { message, place: places.field(sourceLayer, sourcePath, field, expression) };
		}
		default:
			return describeOther(error, places);
	}
}

type OtherError = Exclude<
	PcpError,
	{
		kind:
			| 'ArcCycle'
			| 'InvalidAssetPath'
			| 'MutedAssetPath'
			| 'InvalidSublayerPath'
			| 'SublayerCycle'
			| 'UnresolvedPrimPath'
			| 'InvalidPrimPath'
			| 'InvalidReferenceOffset'
			| 'InvalidSublayerOffset'
			| 'InvalidSublayerOwnership'
			| 'VariableExpressionError';
	}
>;

function describeOther(error: OtherError, places: SourcePlaces): Description {
	switch (error.kind) {
		case 'InconsistentPropertyType': {
			const { defining, conflicting, conflictingType, definingType } = error;
			const message = `<${conflicting.path}> is ${kindOf(conflictingType)} here and ${kindOf(definingType)} in ${quote(places.name(defining.layer))}, which is stronger`;
			return { message, place: places.spec(conflicting.layer, conflicting.path) };
		}
		case 'InvalidExternalTargetPath': {
			const { targetPath, owner, ownerType, arcType, introPath } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the target <${targetPath}> lies outside of what the ${arc} at <${introPath}> brings along`;
			return { message, place: targetPlace(owner.layer, owner.path, ownerType, targetPath, places), arc };
		}
		case 'InvalidInstanceTargetPath': {
			const { targetPath, owner, ownerType } = error;
			const message = `the target <${targetPath}> is an instance of the class that has the target`;
			return { message, place: targetPlace(owner.layer, owner.path, ownerType, targetPath, places) };
		}
		case 'InvalidAuthoredRelocation': {
			const message = `${relocateText(error.relocate)} cannot be done: ${FAULTS[error.fault]}`;
			return { message, place: relocatePlace(error.relocate, places) };
		}
		case 'InvalidConflictingRelocation': {
			const { relocate, conflict, reason } = error;
			const message = `${relocateText(relocate)} contradicts ${relocateText(conflict)}: ${CONFLICTS[reason]}`;
			return { message, place: relocatePlace(relocate, places) };
		}
		case 'InvalidSameTargetRelocations': {
			const { target, relocates } = error;
			const message = `several relocates lead to <${target}>: ${relocates.map(({ source }) => `<${source}>`).join(', ')}`;
			return { message, place: relocatePlace(relocates[0]!, places) };
		}
		case 'OpinionAtRelocationSource': {
			const message = `the prim <${error.path}> was moved away by relocates, so opinions about it here have no effect`;
			return { message, place: places.spec(error.layer, error.path) };
		}
		case 'ArcToProhibitedChild': {
			const { site, arcType, target, relocationSource } = error;
			const arc = ARC_NAMES[arcType]!;
			const message = `the ${arc} leads to <${target.path}>, which relocates moved away from <${relocationSource.path}>`;
			return { message, place: arcPlace(site.layer, site.path, arcType, target.path.toString(), places), arc };
		}
		case 'CapacityExceeded': {
			const what = error.limit === 'depth' ? 'nest too deeply' : 'bring in too many opinions';
			const message = `the arcs of <${error.root.path}> ${what}; the rest of them is left out`;
			return { message, place: places.spec(error.root.layer, error.root.path) };
		}
	}
}

const EXPRESSION_FIELDS = {
	reference: 'references',
	payload: 'payload',
	variant: 'variantSelection',
	sublayer: 'subLayers',
} as const;

const FAULTS: Readonly<Record<RelocateFault, string>> = {
	'not-a-prim': 'a path names no prim',
	'variant-selection': 'a path has a variant selection',
	'no-source': 'there is no source',
	same: 'source and target are the same',
	'target-below-source': 'the target lies below the source',
	'target-above-source': 'the target lies above the source',
	'root-prim': 'a root prim cannot be moved',
};

const CONFLICTS: Readonly<Record<RelocateConflict, string>> = {
	'target-is-source': 'its target is where the other starts',
	'source-is-target': 'it starts where the other leads to',
	'target-below-source': 'its target lies below where the other starts',
	'source-below-source': 'it starts below where the other starts',
};

function arcPlace(
	layer: Layer,
	path: Path,
	type: ArcType,
	item: string | undefined,
	places: SourcePlaces,
): LocatedPlace {
	return places.field(layer, path, ARC_FIELDS[type] ?? 'references', item);
}

/** Where a sublayer is named: at the path that ends like its identifier, if there is one. */
function sublayerPlace(layer: Layer, { identifier }: Layer, places: SourcePlaces): LocatedPlace {
	const paths = dataOf(layer.data.field(Path.root, 'subLayers'), T.stringVector) ?? [];
	const file = identifier.replace(/\]+$/, '');
	const found = paths.find((path) => file.endsWith(baseName(path)) || identifier.includes(`${baseName(path)}[`));
	return places.field(layer, Path.root, 'subLayers', found);
}

function targetPlace(layer: Layer, path: Path, type: SpecType, target: Path, places: SourcePlaces): LocatedPlace {
	const field = type === SpecType.attribute ? 'connectionPaths' : 'targetPaths';
	return places.field(layer, path, field, target.toString());
}

function relocatePlace({ layer, source }: AuthoredRelocate, places: SourcePlaces): LocatedPlace {
	return places.field(layer, Path.root, 'layerRelocates', source.toString());
}

function relocateText({ source, target }: AuthoredRelocate): string {
	return `the relocate of <${source}> to <${target}>`;
}

function kindOf(type: SpecType): string {
	return type === SpecType.attribute ? 'an attribute' : 'a relationship';
}

function offsetText({ offset, scale }: LayerOffset): string {
	return `offset ${offset} and scale ${scale}`;
}

/** Text inside other quotes: made safe and cut as `quote` does, without its quotes. */
function quoted(text: string): string {
	return quote(text).slice(1, -1);
}

function whyNot(reason: string): string {
	return reason === '' ? 'there is no such file' : reason;
}

/** A long way by its first and last steps. */
function shorten(steps: readonly string[]): string[] {
	if (steps.length <= 8) return [...steps];
	return [...steps.slice(0, 4), `… ${steps.length - 7} more …`, ...steps.slice(-3)];
}
