import { chamferedBox, lathe, type Mesh, plate, wheel } from './mesh-shapes.ts';

/** The meshes of egret; its other layers are written by hand. Lengths in metres. */
export const egret: { readonly name: string; readonly meshes: Readonly<Record<string, Mesh>> } = {
	name: 'egret',
	meshes: {
		chassis: chamferedBox([0.36, 0.26, 0.1], 0.015),
		// what the detailed collision shape is made of: triangles, closed
		chassis_hull: triangulated(chamferedBox([0.36, 0.26, 0.1], 0.015)),
		deck: plate(0.16, 0.18, 0.06),
		tyre: wheel('Y', 0.08, 0.03, 0.006, 32),
		hub: wheel('Y', 0.045, 0.036, 0.003, 24),
		ball: ball(0.03, 24, 11),
		head: chamferedBox([0.06, 0.12, 0.05], 0.008),
		lens: wheel('X', 0.012, 0.008, 0.002, 24),
		puck: wheel('Z', 0.035, 0.04, 0.004, 32),
		lamp: wheel('Z', 0.008, 0.006, 0.001, 16),
	},
};

/** A sphere of rings, cut off a little at its poles. */
function ball(radius: number, segments: number, rings: number): Mesh {
	const profile = Array.from({ length: rings }, (_, ring): [number, number] => {
		const angle = (Math.PI * (ring + 0.5)) / rings;
		return [-radius * Math.cos(angle), radius * Math.sin(angle)];
	});
	return lathe('Z', segments, profile);
}

/** The same solid with its convex faces cut into triangles. */
function triangulated({ points, faces, normals }: Mesh): Mesh {
	const result: Mesh = { points, faces: [], normals: [] };
	let corner = 0;
	for (const face of faces) {
		for (let i = 1; i + 1 < face.length; i++) {
			result.faces.push([face[0]!, face[i]!, face[i + 1]!]);
			result.normals.push(normals[corner]!, normals[corner + i]!, normals[corner + i + 1]!);
		}
		corner += face.length;
	}
	return result;
}
