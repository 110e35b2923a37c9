import { quote } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { UrdfGeometry, UrdfGeometryGroup, UrdfMaterial, UrdfPose } from './urdf-document.ts';
import type { UrdfValues } from './urdf-values.ts';

/** A `visual` or `collision`; undefined without geometry. */
export function readGeometryGroup(element: XmlElement, values: UrdfValues): UrdfGeometryGroup | undefined {
	const geometryElement = element.child('geometry');
	if (geometryElement === undefined) {
		values.missing(element, `<${element.name}> has no <geometry>`);
		return undefined;
	}
	const material = element.child('material');
	// shapes of one kind after the other, in the order in which the format lists them
	const geometries = SHAPES.flatMap((name) =>
		geometryElement.childrenNamed(name).flatMap((shape) => readShape(shape, values) ?? []),
	);
	if (geometries.length === 0 && !geometryElement.children.some(({ name }) => SHAPES.includes(name))) {
		values.missing(geometryElement, `<geometry> has no shape, expected one of ${SHAPES.join(', ')}`);
	}
	return {
		element,
		name: element.get('name') || undefined,
		origin: readPose(element, values),
		geometryElement,
		geometries,
		material: material && readMaterial(material, values),
	};
}

/** Elements that are shapes. */
export const SHAPES: readonly string[] = ['box', 'sphere', 'cylinder', 'capsule', 'mesh'];

function readShape(element: XmlElement, values: UrdfValues): UrdfGeometry | undefined {
	switch (element.name) {
		case 'box':
			if (element.attribute('size') === undefined) values.missing(element, "<box> has no 'size', 1 m is taken");
			return { type: 'box', element, size: values.vector(element, 'size', [1, 1, 1]) };
		case 'sphere':
			return { type: 'sphere', element, radius: values.size(element, 'radius', 1) };
		case 'cylinder':
			return {
				type: 'cylinder',
				element,
				radius: values.size(element, 'radius', 1),
				length: values.size(element, 'length', 1),
			};
		case 'capsule': {
			// no standard has capsules; files are found with either name
			const name =
				element.attribute('length') !== undefined && element.attribute('height') === undefined ? 'length' : 'height';
			return {
				type: 'capsule',
				element,
				radius: values.size(element, 'radius', 1),
				length: values.size(element, name, 1),
			};
		}
		default: {
			const filename = values.required(element, 'filename');
			if (filename === undefined) return undefined;
			return { type: 'mesh', element, filename, scale: values.vector(element, 'scale', [1, 1, 1]) };
		}
	}
}

/** The `origin` of an element; the identity without one. */
export function readPose(parent: XmlElement, values: UrdfValues): UrdfPose {
	const element = parent.child('origin');
	return {
		element,
		xyz: values.vector(element, 'xyz', [0, 0, 0]),
		rpy: values.vector(element, 'rpy', [0, 0, 0]),
	};
}

/** A `material`, at the robot or inside a visual. */
export function readMaterial(element: XmlElement, values: UrdfValues): UrdfMaterial {
	const colorElement = element.child('color');
	const textureElement = element.child('texture');
	const texture = textureElement && values.required(textureElement, 'filename');
	return {
		element,
		name: element.get('name') || undefined,
		rgba: colorElement && readColor(colorElement, values),
		colorElement,
		texture,
		textureElement,
	};
}

function readColor(element: XmlElement, values: UrdfValues): readonly number[] | undefined {
	const words = element.get('rgba')?.trim().split(/\s+/) ?? [];
	// three numbers are common, although the format has four
	if (words.length === 3) return values.numbers(element, 'rgba', 3);
	if (element.attribute('rgba') === undefined) values.missing(element, `<color> has no ${quote('rgba')}`);
	return values.numbers(element, 'rgba', 4);
}
