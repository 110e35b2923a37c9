import { Layer, ListOp, makeValue, Path, T, type Value } from '@manyworlds/usd';
import { makePayload, makeReference } from '@manyworlds/usd/internal';

/** A layer with nesting, variants in variants, every composition arc, relationships, connections and all list-op forms. */
export function structureLayer(): Layer {
	const layer = Layer.create('structure.usda');
	setLayerFields(layer);
	layer.createPrim('/_class_Link', { specifier: 'class' });
	layer.createPrim('/Robot', { specifier: 'def', typeName: 'Xform' });
	let nested = '/Robot/base';
	for (let depth = 0; depth < 12; depth++) {
		layer.createPrim(nested, { specifier: depth % 3 === 2 ? 'over' : 'def', typeName: depth % 2 === 0 ? 'Xform' : '' });
		layer.createAttribute(`${nested}.radius`, 'double');
		layer.setField(`${nested}.radius`, 'default', makeValue(T.double, depth / 8) as Value);
		nested += `/link_${depth}`;
	}
	setArcs(layer);
	setVariants(layer);
	setTargets(layer);
	return layer;
}

function setLayerFields(layer: Layer): void {
	const offsets = [
		{ offset: 0, scale: 1 },
		{ offset: 10, scale: 0.5 },
	];
	layer.setField('/', 'subLayers', makeValue(T.stringVector, ['./weak.usda', './weaker.usda']) as Value);
	layer.setField('/', 'subLayerOffsets', makeValue(T.layerOffsetVector, offsets) as Value);
	layer.setField('/', 'defaultPrim', makeValue(T.token, 'Robot') as Value);
	const relocates = [[path('/Robot/base/link_0'), path('/Robot/base/moved')] as const];
	layer.setField('/', 'layerRelocates', makeValue(T.relocates, relocates) as Value);
	layer.setField('/', 'primOrder', makeValue(T.tokenVector, ['Robot', '_class_Link']) as Value);
}

function setArcs(layer: Layer): void {
	const custom = new Map<string, Value>([['why', makeValue(T.string, 'test') as Value]]);
	const offset = { offset: 2.5, scale: 2 };
	layer.setField(
		'/Robot',
		'references',
		makeValue(
			T.referenceListOp,
			ListOp.edits({
				prependedItems: [
					makeReference('./arm.usda', path('/Arm'), offset, custom),
					makeReference('', path('/_class_Link')),
				],
				appendedItems: [makeReference('./wheel.usda')],
				deletedItems: [makeReference('./old.usda', path('/Old'))],
			}),
		) as Value,
	);
	layer.setField(
		'/Robot/base',
		'payload',
		makeValue(T.payloadListOp, ListOp.explicit([makePayload('./heavy.usdc', path('/Heavy'), offset)])) as Value,
	);
	const classes = ListOp.edits({ addedItems: [path('/_class_Link')], orderedItems: [path('/_class_Link')] });
	layer.setField('/Robot', 'inheritPaths', makeValue(T.pathListOp, classes) as Value);
	layer.setField('/Robot', 'specializes', makeValue(T.pathListOp, ListOp.explicit([path('/_class_Link')])) as Value);
	const schemas = ListOp.edits({ prependedItems: ['PhysicsRigidBodyAPI'], deletedItems: ['PhysicsMassAPI'] });
	layer.setField('/Robot', 'apiSchemas', makeValue(T.tokenListOp, schemas) as Value);
	const ids = ListOp.edits({ appendedItems: [1n, -9007199254740993n] });
	layer.setField('/Robot', 'inactiveIds', makeValue(T.int64ListOp, ids) as Value);
}

function setVariants(layer: Layer): void {
	layer.setField(
		'/Robot',
		'variantSetNames',
		makeValue(T.stringListOp, ListOp.edits({ prependedItems: ['lod'] })) as Value,
	);
	layer.setField('/Robot', 'variantSelection', makeValue(T.variantSelectionMap, new Map([['lod', 'high']])) as Value);
	for (const selection of ['high', 'low', 'a|b']) {
		layer.createVariant(`/Robot{lod=${selection}}`);
		layer.createPrim(`/Robot{lod=${selection}}mesh`, { specifier: 'def', typeName: 'Mesh' });
		layer.createAttribute(`/Robot{lod=${selection}}mesh.size`, 'int');
		layer.setField(`/Robot{lod=${selection}}mesh.size`, 'default', makeValue(T.int, selection.length) as Value);
	}
	layer.createVariant('/Robot{lod=high}{paint=red}');
	layer.createAttribute('/Robot{lod=high}{paint=red}.colour', 'color3f');
}

function setTargets(layer: Layer): void {
	layer.createRelationship('/Robot.owner', { custom: true });
	const targets = ListOp.explicit([path('/Robot/base'), path('/Robot/base.radius'), path('/Robot/base/link_0')]);
	layer.setField('/Robot.owner', 'targetPaths', makeValue(T.pathListOp, targets) as Value);
	layer.createRelationship('/Robot.edited');
	const edits = ListOp.edits({ prependedItems: [path('/Robot')], deletedItems: [path('/Robot/base')] });
	layer.setField('/Robot.edited', 'targetPaths', makeValue(T.pathListOp, edits) as Value);
	layer.createAttribute('/Robot.input', 'token');
	const sources = ListOp.explicit([path('/Robot/base.radius')]);
	layer.setField('/Robot.input', 'connectionPaths', makeValue(T.pathListOp, sources) as Value);
}

function path(text: string): Path {
	const parsed = Path.parse(text);
	if (parsed === undefined) throw new RangeError(`'${text}' is not a path`);
	return parsed;
}
