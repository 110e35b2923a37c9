import type { CodeHelp } from '@manyworlds/core/internal';
import type { MESH_CODES } from '../mesh.ts';

/** What to do about the codes of the mesh readers and mesh algorithms. */
export const MESH_HELP: Readonly<Record<keyof typeof MESH_CODES, CodeHelp>> = {
	MESH001: {
		title: 'Invalid triangle mesh',
		help: 'A triangle mesh has three coordinates for each vertex and three whole-numbered vertex indices, each in range, for each triangle. The message says which entry breaks this.',
	},
	MESH002: {
		title: 'Unknown mesh format',
		help: 'Neither the content nor the extension of the file is that of OBJ, STL, COLLADA or glTF. Name the format, or convert the file.',
	},
	MESH003: {
		title: 'Malformed statement in a mesh file',
		help: 'A line or element does not have the form that its format requires. It is left out; everything else is read.',
		language: 'obj',
		bad: 'v 1.0 2.0\n',
		good: 'v 1.0 2.0 0.0\n',
	},
	MESH004: {
		title: 'Index out of range in a mesh file',
		help: 'A face refers to a vertex, normal or texture coordinate that does not exist. The face is left out, or keeps its positions only when just its normal or texture coordinate is missing.',
		language: 'obj',
		bad: 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n',
		good: 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
	},
	MESH005: {
		title: 'Element that is not a surface',
		help: 'Points, lines, curves and patches have no triangles, so they are not part of the mesh. Export them as faces if they matter.',
	},
	MESH006: {
		title: 'Unsupported content in a mesh file',
		help: 'The file holds something that is not read: an unknown statement, an extension, an animation or a deformation. The triangles do not show it.',
	},
	MESH007: {
		title: 'Coordinate that is not finite',
		help: 'A coordinate is NaN or infinite. Triangles that use it are left out.',
	},
	MESH008: {
		title: 'Degenerate polygon',
		help: 'A polygon has no area, repeats its corners or crosses itself, so its triangulation is a guess or empty. Repair it in the program that made it.',
	},
	MESH009: {
		title: 'Mesh file without triangles',
		help: 'The file was read but has no triangle. Nothing can be shown of it or collide with it.',
	},
	MESH010: {
		title: 'Size of a mesh file disagrees with its content',
		help: 'The number of elements that the file states is not the number that it holds. What is there is read. The file was cut off or changed: get it again from its source.',
	},
	MESH011: {
		title: 'Stored normals disagree with the winding',
		help: 'The order of the corners of a triangle says that it faces one way, its stored normal says the other. The winding is used.',
	},
	MESH012: {
		title: 'Attribute words in an STL file',
		help: 'The two bytes after each STL facet are not zero. Some programs store a colour there; the words are kept as they are in `faceAttributes`.',
	},
	MESH014: {
		title: 'Reference to something absent in a mesh file',
		help: 'A part of the file names another part that is not there or is of another kind. What depends on it is left out.',
	},
	MESH015: {
		title: 'Units or up axis of a mesh file',
		help: 'The file states a unit other than the metre or an up axis other than Z. Coordinates are given as they stand in the file unless `applyUnit` or `applyUpAxis` is asked for.',
	},
	MESH016: {
		title: 'Not a glTF file',
		help: 'The JSON or the binary container of the file is malformed, or its version is not 2. What can be read is read.',
	},
	MESH017: {
		title: 'Damaged glTF accessor',
		help: 'An accessor or buffer view does not fit into its buffer or has an unknown type. The primitive that uses it is left out.',
	},
	MESH018: {
		title: 'Buffer of a glTF file not available',
		help: 'The file keeps its data in another file that was not given. Pass `external`, a function that gives the bytes of a file by its relative address.',
	},
	MESH019: {
		title: 'Compressed glTF mesh',
		help: 'The primitive is compressed by an extension that is not supported. Save the file without mesh compression.',
	},
	MESH020: {
		title: 'Flat convex hull',
		help: 'All points lie in one point, line or plane, so their hull has no volume. The hull is given as a point, a segment or a polygon with two sides.',
	},
	MESH021: {
		title: 'Mesh is not closed',
		help: 'The surface has holes or edges with more than two triangles, so what is inside is not defined by it. Results that need an inside are estimates.',
	},
	MESH022: {
		title: 'Vertex budget leaves points outside of the hull',
		help: 'The hull was limited to a number of vertices; points of the input lie outside of it by up to the distance in the message.',
	},
	MESH023: {
		title: 'Shell without thickness',
		help: 'A hollow shape with a wall of thickness 0 has no mass.',
	},
};
