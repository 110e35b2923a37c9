import { type Layer, SchemaRegistry, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { applied } from './find-place.ts';
import { isPhysicsSchema, isRosSchema } from './layer-census.ts';
import { isNamedForPhysics, layerStem } from './layer-role.ts';
import type { VendorRegistry } from './vendors.ts';

/**
 * Vendors that nobody has told us about: schemas in layers named for physics that neither OpenUSD nor ROS has belong to somebody, whose name is the
 * first word of theirs (`AcmeWheelAPI`, `acme:wheel:radius`). Gives prefixes by vendor.
 */
export function unknownVendors(layers: Iterable<Layer>, known: VendorRegistry): Map<string, readonly string[]> {
	const found = new Map<string, readonly string[]>();
	for (const layer of layers) {
		if (!isNamedForPhysics(layerStem(layer.identifier))) continue;
		for (const path of layer.data.paths()) {
			const op = dataOf(layer.data.field(path, 'apiSchemas'), T.tokenListOp);
			const type = dataOf(layer.data.field(path, 'typeName'), T.token);
			const names = [...(op === undefined ? [] : applied(op)), ...(path.isPrim && type !== undefined ? [type] : [])];
			for (const name of names) {
				const word = isForeign(name, known) ? VENDOR_WORD.exec(name)?.[0].toLowerCase() : undefined;
				if (word !== undefined) found.set(word, [word]);
			}
		}
	}
	return found;
}

const VENDOR_WORD = /^(?:[A-Z]{2,}(?=[A-Z][a-z])|[A-Z][a-z0-9]+)/;
/** Names that drafts of the REP and of OpenUSD had. */
const DRAFTS = /^(?:MimicJointAPI|Semantics\w*API)$/;

function isForeign(item: string, known: VendorRegistry): boolean {
	const name = item.split(':')[0]!;
	if (isPhysicsSchema(name) || isRosSchema(name) || DRAFTS.test(name) || known.ofSchema(name) !== undefined)
		return false;
	return SchemaRegistry.standard.find(name) === undefined;
}
