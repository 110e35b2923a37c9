import { quote } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { SdfGeometry, SdfMaterial, SdfShape, SdfSurface } from './sdf-document.ts';
import type { SdfValues } from './sdf-values.ts';

/** Kinds of shapes that are read. */
const SHAPES: readonly string[] = [
	'box',
	'sphere',
	'cylinder',
	'capsule',
	'ellipsoid',
	'cone',
	'plane',
	'mesh',
	'polyline',
];

/** A `visual` or `collision`; undefined without a shape that can be read. */
export function readShape(element: XmlElement, values: SdfValues): SdfShape | undefined {
	const name = values.name(element) ?? element.name;
	const group = element.child('geometry');
	const shape = group?.children.find((child) => SHAPES.includes(child.name));
	if (group === undefined || shape === undefined) {
		reportNoShape(element, group, values);
		return undefined;
	}
	const geometry = readGeometry(shape, values);
	if (geometry === undefined) return undefined;
	const transparency = values.number(element, 'transparency') ?? 0;
	return {
		element,
		name,
		pose: values.pose(element),
		geometry,
		material: readMaterial(element.child('material'), values),
		surface: readSurface(element.child('surface'), values),
		density: values.number(element, 'density'),
		transparency: Math.min(1, Math.max(0, transparency)),
	};
}

function reportNoShape(element: XmlElement, group: XmlElement | undefined, values: SdfValues): void {
	const other = group?.children[0];
	if (group === undefined) values.missing(element, `<${element.name}> has no <geometry>`);
	else if (other === undefined) values.missing(group, `<geometry> has no shape, expected one of ${SHAPES.join(', ')}`);
	else if (other.name === 'heightmap' || other.name === 'image') {
		values.report('SDF013', `<${other.name}> is ground, not part of a robot; it is left out`, other);
	} else if (other.name !== 'empty') {
		values.report('SDF012', `<${other.name}> is no shape, expected one of ${SHAPES.join(', ')}`, other);
	}
}

function readGeometry(element: XmlElement, values: SdfValues): SdfGeometry | undefined {
	switch (element.name) {
		case 'box': {
			const size = values.vector(element, 'size', [1, 1, 1]);
			return {
				type: 'box',
				element,
				size: size.map((side) => positive(side, element, values)) as [number, number, number],
			};
		}
		case 'sphere':
			return { type: 'sphere', element, radius: values.size(element, 'radius', 1) };
		case 'ellipsoid': {
			const radii = values.vector(element, 'radii', [1, 1, 1]);
			return {
				type: 'ellipsoid',
				element,
				radii: radii.map((radius) => positive(radius, element, values)) as [number, number, number],
			};
		}
		case 'plane': {
			const size = element.child('size');
			const [width = 1, height = 1] = (size && values.numbers(size, 2)) ?? [];
			return { type: 'plane', element, normal: values.vector(element, 'normal', [0, 0, 1]), size: [width, height] };
		}
		case 'mesh':
			return readMesh(element, values);
		case 'polyline':
			return {
				type: 'polyline',
				element,
				outlines: [element.childrenNamed('point').flatMap((point) => values.numbers(point, 2) ?? [])],
				height: values.size(element, 'height', 1),
			};
		default: {
			const type = element.name as 'cylinder' | 'capsule' | 'cone';
			return {
				type,
				element,
				radius: values.size(element, 'radius', 1),
				length: values.size(element, 'length', 1),
			};
		}
	}
}

function positive(length: number, element: XmlElement, values: SdfValues): number {
	if (length > 0) return length;
	values.report('SDF011', `a side of <${element.name}> is ${length} m, expected more than 0`, element);
	return Math.abs(length) || 1e-3;
}

function readMesh(element: XmlElement, values: SdfValues): SdfGeometry | undefined {
	const uri = values.text(element, 'uri') ?? values.text(element, 'filename');
	if (uri === undefined || uri === '') {
		values.missing(element, '<mesh> has no <uri>');
		return undefined;
	}
	const submesh = element.child('submesh');
	const part = values.text(submesh, 'name');
	return {
		type: 'mesh',
		element,
		uri,
		scale: values.vector(element, 'scale', [1, 1, 1]),
		submesh:
			part === undefined || part === ''
				? undefined
				: { name: part, isCentred: values.bool(submesh, 'center') ?? false },
		optimization: element.get('optimization'),
	};
}

function readMaterial(element: XmlElement | undefined, values: SdfValues): SdfMaterial | undefined {
	if (element === undefined) return undefined;
	const pbr = element.child('pbr');
	const flow = pbr?.child('metal') ?? pbr?.child('specular');
	const map = flow?.child('albedo_map');
	const script = element.child('script');
	if (script !== undefined) {
		const name = values.text(script, 'name') ?? '';
		values.report(
			'SDF008',
			`the material is the script ${quote(name)} of another program, its colours are not known`,
			script,
		);
	}
	return {
		element,
		diffuse: values.color(element, 'diffuse'),
		metalness: values.number(flow, 'metalness'),
		roughness: values.number(flow, 'roughness'),
		albedoMap: map?.text.trim() || undefined,
		albedoElement: map,
		script,
	};
}

function readSurface(element: XmlElement | undefined, values: SdfValues): SdfSurface | undefined {
	if (element === undefined) return undefined;
	const friction = element.child('friction');
	const ode = friction?.child('ode');
	const bullet = friction?.child('bullet');
	return {
		mu: values.bound(ode, 'mu') ?? values.bound(bullet, 'friction'),
		mu2: values.bound(ode, 'mu2') ?? values.bound(bullet, 'friction2'),
		torsional: values.number(friction?.child('torsional'), 'coefficient'),
		restitution: values.number(element.child('bounce'), 'restitution_coefficient'),
		collideBitmask: readMask(values.text(element.child('contact'), 'collide_bitmask')),
	};
}

function readMask(text: string | undefined): number | undefined {
	const value = text === undefined || text === '' ? Number.NaN : Number(text);
	return Number.isInteger(value) && value >= 0 ? value : undefined;
}
