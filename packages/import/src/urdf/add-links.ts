import { quote } from '@manyworlds/core';
import { eigenSymmetric3, mat3FromQuat, mat3RotateTensor } from '@manyworlds/core/internal';
import type { UrdfInertial, UrdfLink } from '@manyworlds/formats';
import { addShapes, tellPose, unauthored } from './add-shapes.ts';
import type { UrdfContext } from './urdf-context.ts';
import { UrdfMaterials } from './urdf-materials.ts';
import { transformOf } from './urdf-pose.ts';

/** Adds links with their shapes and masses; gives the body of each link by name. */
export function addLinks(context: UrdfContext, links: readonly UrdfLink[]): Map<string, number> {
	const { builder, options, ledger } = context;
	const materials = new UrdfMaterials(context);
	const bodies = new Map<string, number>();
	const hasVisuals = options.parseVisuals && links.some((link) => link.visuals.length > 0);
	const showsColliders = options.forceShowColliders || options.parseVisualsAsColliders || !hasVisuals;
	for (const link of links) {
		ledger.use(link.element, 'name');
		const body = builder.addLink({
			label: context.label(link.name),
			attributes: context.attributes(link.element, 'body'),
		});
		bodies.set(link.name, body);
		const shared = { body, linkName: link.name };
		const { density } = builder.defaultShapeConfig;
		if (options.parseVisualsAsColliders) {
			for (const group of link.collisions) ledger.ignoreAll(group.element, 'visuals are taken as colliders');
		} else if (!options.parseVisuals) {
			for (const group of link.visuals) ledger.ignoreAll(group.element, 'visuals are left out by option');
		} else {
			addShapes(context, materials, link.visuals, {
				...shared,
				isVisual: true,
				config: { density: 0, isVisible: !options.hideVisuals, hasShapeCollision: false, hasParticleCollision: false },
			});
		}
		addShapes(context, materials, options.parseVisualsAsColliders ? link.visuals : link.collisions, {
			...shared,
			isVisual: false,
			config: { density, isVisible: showsColliders, hasShapeCollision: true, hasParticleCollision: true },
		});
		addInertial(context, link, body);
	}
	return bodies;
}

function addInertial(context: UrdfContext, link: UrdfLink, body: number): void {
	const { builder, ledger, options } = context;
	const { inertial } = link;
	const fromShapes = { source: 'computed' as const, why: 'from the colliders of the link and their density' };
	const rows = ['body_mass', 'body_com', 'body_inertia'].map((array) => ({
		array,
		entity: 'body' as const,
		index: body,
	}));
	if (inertial === undefined || options.ignoreInertialDefinitions) {
		if (inertial !== undefined) ledger.ignoreAll(inertial.element, 'inertial definitions are ignored by option');
		for (const row of rows) ledger.computed(row, fromShapes);
		return;
	}
	const frame = transformOf(inertial.origin, options.scale);
	builder.column('bodyCom').set(frame.subarray(0, 3), 3 * body);
	tellPose(context, 'body_com', 'body', body, inertial.origin.element);
	if (inertial.inertia === undefined) ledger.computed(rows[2]!, fromShapes);
	else {
		const tensor = tensorOf(inertial.inertia, frame, options.scale);
		builder.column('bodyInertia').set(tensor, 9 * body);
		checkTensor(context, link, inertial, tensor);
		const element = inertial.element.child('inertia');
		for (const name of ['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz']) {
			if (element?.attribute(name) === undefined) continue;
			const conversion = { from: 'axes of the inertial frame', to: 'axes of the body' };
			ledger.give(rows[2]!, element, name, { why: '<inertia> gives the tensor', absent: unauthored('0'), conversion });
		}
	}
	if (inertial.mass === undefined) ledger.computed(rows[0]!, fromShapes);
	else {
		builder.column('bodyMass')[body] = inertial.mass;
		ledger.give(rows[0]!, inertial.element.child('mass'), 'value', {
			why: '<mass> gives the mass',
			absent: unauthored('0 kg'),
		});
	}
}

/** ixx, ixy, ixz, iyy, iyz, izz in a frame as a tensor in the axes of the body. */
function tensorOf(inertia: readonly number[], frame: Float64Array, scale: number): Float64Array {
	const [ixx, ixy, ixz, iyy, iyz, izz] = inertia.map((entry) => entry * scale * scale) as [
		number,
		number,
		number,
		number,
		number,
		number,
	];
	const tensor = Float64Array.of(ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz);
	const rotation = mat3FromQuat(new Float64Array(9), frame, 0, 3);
	return mat3RotateTensor(new Float64Array(9), tensor, rotation);
}

/** No body has negative principal inertias, or one above the sum of the others. */
function checkTensor(context: UrdfContext, link: UrdfLink, inertial: UrdfInertial, tensor: Float64Array): void {
	const values = new Float64Array(3);
	eigenSymmetric3(values, new Float64Array(9), tensor);
	const [a, b, c] = Array.from(values).sort((x, y) => x - y) as [number, number, number];
	const slack = 1e-6 * Math.max(Math.abs(a), Math.abs(c));
	if (a >= -slack && a + b >= c - slack) return;
	const element = inertial.element.child('inertia') ?? inertial.element;
	const moments = [a, b, c].map((x) => Number(x.toPrecision(4))).join(', ');
	const message = `link ${quote(link.name)} has the principal inertias ${moments} kg·m², expected each 0 or more and at most the sum of the others`;
	context.add('URDF011', message, element);
}
