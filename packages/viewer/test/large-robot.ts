/** Makes a chain of links with large meshes, in the page. */
export const LARGE_ROBOT: string = `
function largeRobot(links, triangles) {
	const files = new Map();
	const side = Math.ceil(Math.sqrt(triangles / 2));
	let text = '<robot name="large">';
	for (let i = 0; i < links; i++) {
		const count = 2 * side * side;
		const bytes = new Uint8Array(84 + 50 * count);
		const view = new DataView(bytes.buffer);
		view.setUint32(80, count, true);
		const point = (u, v) => {
			const [a, b] = [(2 * Math.PI * u) / side, (Math.PI * v) / side];
			const r = 0.1 + 0.01 * Math.sin(9 * a + i) * Math.sin(7 * b);
			return [r * Math.sin(b) * Math.cos(a), r * Math.sin(b) * Math.sin(a), r * Math.cos(b)];
		};
		let at = 84;
		const write = (...corners) => {
			at += 12;
			for (const corner of corners) for (const value of corner) { view.setFloat32(at, value, true); at += 4; }
			at += 2;
		};
		for (let u = 0; u < side; u++) for (let v = 0; v < side; v++) {
			const [p, q, r, s] = [point(u, v), point(u + 1, v), point(u + 1, v + 1), point(u, v + 1)];
			write(p, r, q);
			write(p, s, r);
		}
		files.set('meshes/part' + i + '.stl', bytes);
		text += '<link name="l' + i + '"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial><visual><geometry><mesh filename="../meshes/part' + i + '.stl"/></geometry></visual></link>';
		if (i > 0) text += '<joint name="j' + i + '" type="revolute"><parent link="l' + (i - 1) + '"/><child link="l' + i + '"/><origin xyz="0 0 0.25"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>';
	}
	text = text.replaceAll('../meshes', 'meshes');
	files.set('large.urdf', new TextEncoder().encode(text + '</robot>'));
	return files;
}`;
