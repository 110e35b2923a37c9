import type { Layer } from '../sdf/layer.ts';
import type { Path } from '../sdf/path.ts';
import type { SpecType } from '../sdf/spec-type.ts';
import type { LayerOffset } from '../sdf/value.ts';
import type { ArcType } from './arc-type.ts';
import type { Node } from './node.ts';

/** A place in a layer stack, named by its root layer. */
export interface ErrorSite {
	readonly layer: Layer;
	readonly path: Path;
}

/** How errors name the site of a node. */
export function siteOf(node: Node): ErrorSite {
	return { layer: node.layerStack.rootLayer, path: node.path };
}

/** One step of a cycle of arcs. */
export interface CycleStep extends ErrorSite {
	readonly arcType: ArcType;
}

/** Why two relocates exclude each other. */
export type RelocateConflict = 'target-is-source' | 'source-is-target' | 'target-below-source' | 'source-below-source';

/** Why a relocate is wrong by itself. */
export type RelocateFault =
	| 'not-a-prim'
	| 'variant-selection'
	| 'no-source'
	| 'same'
	| 'target-below-source'
	| 'target-above-source'
	| 'root-prim';

/** A relocate and the layer that has it. */
export interface AuthoredRelocate {
	readonly layer: Layer;
	readonly source: Path;
	readonly target: Path;
}

/**
 * What went wrong in composition, as data. `kind` is the name of OpenUSD's error class without `PcpError`;
 * `site` is where composition was at work, the rest says what and where it was authored.
 */
export type PcpError = { readonly root: ErrorSite } & (
	| { readonly kind: 'ArcCycle'; readonly cycle: readonly CycleStep[] }
	| {
			readonly kind: 'ArcToProhibitedChild';
			readonly site: ErrorSite;
			readonly arcType: ArcType;
			readonly target: ErrorSite;
			readonly relocationSource: ErrorSite;
	  }
	| { readonly kind: 'CapacityExceeded'; readonly limit: 'nodes' | 'depth' }
	| {
			readonly kind: 'InconsistentPropertyType';
			readonly defining: ErrorSite;
			readonly definingType: SpecType;
			readonly conflicting: ErrorSite;
			readonly conflictingType: SpecType;
	  }
	| {
			readonly kind: 'InvalidPrimPath';
			readonly site: ErrorSite;
			readonly sourceLayer: Layer | undefined;
			readonly arcType: ArcType;
			readonly primPath: Path;
	  }
	| {
			readonly kind: 'InvalidAssetPath';
			readonly site: ErrorSite;
			readonly sourceLayer: Layer;
			readonly arcType: ArcType;
			readonly targetPath: Path;
			readonly assetPath: string;
			readonly resolvedPath: string;
			readonly reason: string;
	  }
	| {
			readonly kind: 'MutedAssetPath';
			readonly site: ErrorSite;
			readonly sourceLayer: Layer;
			readonly arcType: ArcType;
			readonly targetPath: Path;
			readonly assetPath: string;
			readonly resolvedPath: string;
	  }
	| {
			readonly kind: 'InvalidReferenceOffset';
			readonly site: ErrorSite;
			readonly sourceLayer: Layer;
			readonly arcType: ArcType;
			readonly targetPath: Path;
			readonly assetPath: string;
			readonly offset: LayerOffset;
	  }
	| {
			readonly kind: 'UnresolvedPrimPath';
			readonly site: ErrorSite;
			readonly sourceLayer: Layer;
			readonly arcType: ArcType;
			readonly targetLayer: Layer;
			/** Undefined: the default prim of the layer, which names none. */
			readonly unresolvedPath: Path | undefined;
	  }
	| { readonly kind: 'OpinionAtRelocationSource'; readonly layer: Layer; readonly path: Path }
	| {
			readonly kind: 'VariableExpressionError';
			readonly expression: string;
			readonly context: 'reference' | 'payload' | 'variant' | 'sublayer';
			readonly sourceLayer: Layer;
			readonly sourcePath: Path;
			readonly reasons: readonly string[];
	  }
	| {
			readonly kind: 'InvalidExternalTargetPath';
			readonly targetPath: Path;
			readonly owner: ErrorSite;
			readonly ownerType: SpecType;
			readonly arcType: ArcType;
			readonly introPath: Path;
	  }
	| {
			readonly kind: 'InvalidInstanceTargetPath';
			readonly targetPath: Path;
			readonly owner: ErrorSite;
			readonly ownerType: SpecType;
			readonly composedPath: Path;
	  }
	| { readonly kind: 'SublayerCycle'; readonly layer: Layer; readonly sublayer: Layer }
	| {
			readonly kind: 'InvalidSublayerPath';
			readonly layer: Layer;
			readonly sublayerPath: string;
			readonly resolvedPath: string;
			readonly reason: string;
	  }
	| {
			readonly kind: 'InvalidSublayerOffset';
			readonly layer: Layer;
			readonly sublayer: Layer;
			readonly offset: LayerOffset;
	  }
	| {
			readonly kind: 'InvalidSublayerOwnership';
			readonly layer: Layer;
			readonly owner: string;
			readonly sublayers: readonly Layer[];
	  }
	| { readonly kind: 'InvalidAuthoredRelocation'; readonly relocate: AuthoredRelocate; readonly fault: RelocateFault }
	| {
			readonly kind: 'InvalidConflictingRelocation';
			readonly relocate: AuthoredRelocate;
			readonly conflict: AuthoredRelocate;
			readonly reason: RelocateConflict;
	  }
	| {
			readonly kind: 'InvalidSameTargetRelocations';
			readonly target: Path;
			readonly relocates: readonly AuthoredRelocate[];
	  }
);

/** The kinds of composition errors. */
export type PcpErrorKind = PcpError['kind'];
