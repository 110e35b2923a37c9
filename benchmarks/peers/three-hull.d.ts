// the parts of three that the hull task uses; the package has no types of its own
declare module 'three/addons/math/ConvexHull.js' {
	export interface HullFace {
		readonly edge: HullEdge;
	}
	export interface HullEdge {
		readonly next: HullEdge;
		head(): { readonly point: { readonly x: number; readonly y: number; readonly z: number } };
	}
	export class ConvexHull {
		readonly faces: readonly HullFace[];
		setFromPoints(points: readonly unknown[]): this;
	}
}

declare module 'three' {
	export class Vector3 {
		constructor(x: number, y: number, z: number);
	}
}
