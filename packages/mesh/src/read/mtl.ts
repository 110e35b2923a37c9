import type { MeshMaterial } from './mesh-file.ts';

/** Materials of an MTL library by name; statements about what is not shown here are passed over. */
export function readMtl(bytes: Uint8Array): Map<string, MeshMaterial> {
	const materials = new Map<string, MeshMaterial>();
	let name: string | undefined;
	let current: { -readonly [K in keyof MeshMaterial]: MeshMaterial[K] } = {};
	for (const line of new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)) {
		const [keyword = '', ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
		const numbers = words.map(Number);
		switch (keyword.toLowerCase()) {
			case 'newmtl':
				name = words.join(' ');
				current = {};
				materials.set(name, current);
				break;
			case 'kd':
			case 'ks': {
				const [r, g = r, b = r] = numbers;
				if (![r, g, b].every(Number.isFinite)) break;
				current[keyword.toLowerCase() === 'kd' ? 'color' : 'specular'] = [r!, g!, b!];
				break;
			}
			case 'ns':
				if (Number.isFinite(numbers[0])) current.shininess = numbers[0]!;
				break;
			case 'map_kd':
				// options such as '-s 1 1 1' come before the name
				if (words.length > 0) current.texture = words.join(' ').replace(/^(?:-\w+(?: [-+.\d]+| on| off)* )+/, '');
				break;
		}
	}
	return materials;
}
