import { GeoType, type Model } from '@manyworlds/model';

/** Whether a pair, the plane first, is a plane without an end and a sphere. */
export function isBallOnPlane({ shapeType, shapeScale }: Model, plane: number, ball: number): boolean {
	return shapeType[plane] === GeoType.PLANE && shapeType[ball] === GeoType.SPHERE && !(shapeScale[3 * plane]! > 0);
}

/** Whether the distance of two kinds, the smaller one first, takes a search, or so long that what keeps them apart is remembered. */
export function needsSearch(type0: number, type1: number): boolean {
	if (type0 === GeoType.PLANE) return false;
	if (type0 === GeoType.SPHERE) return type1 === GeoType.MESH || type1 === GeoType.CONVEX_MESH;
	if (type0 === GeoType.CAPSULE && (type1 === GeoType.BOX || type1 === GeoType.CYLINDER)) return false;
	return type0 !== type1 || (type0 !== GeoType.BOX && type0 !== GeoType.CAPSULE);
}

/** Whether the search itself begins with the axes of both shapes. */
export function hasFaceAxes(type0: number, type1: number): boolean {
	return type0 === GeoType.CYLINDER && (type1 === GeoType.BOX || type1 === GeoType.CYLINDER);
}
