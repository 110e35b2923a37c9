import { type Attribute, type Path, type Prim, T } from '@manyworlds/usd';
import { dataOf, shaderId, shadingAttributes, terminalSource, valueProducers } from '@manyworlds/usd/internal';

/** A texture of a material: the file that a shader reads, and what for. */
export interface TextureUse {
	readonly shader: Prim;
	/** The attribute that holds the path: an input of the shader, or of a node graph or material that it is connected to. */
	readonly file: Attribute;
	/** As authored; '' for no path. */
	readonly assetPath: string;
	readonly roles: readonly TextureRole[];
}

/** What a texture is used for: the input of the surface, and the output of the texture that it takes. */
export interface TextureRole {
	/** `diffuseColor`, `normal`, … or `displacement` for the terminal of that name. */
	readonly input: string;
	/** `rgb`, `r`, `a`, …; of the shader next to the texture. */
	readonly output: string;
}

/** What a material computes for every renderer: the shaders behind its terminals without render context. */
export interface MaterialNetwork {
	readonly material: Prim;
	/** The shader of `outputs:surface`. */
	readonly surface: Prim | undefined;
	/** Every shader that takes part, terminals first. */
	readonly shaders: readonly Prim[];
	readonly textures: readonly TextureUse[];
}

/** Inputs of a surface that hold colours; every other one holds data. */
const COLOUR_INPUTS = new Set(['diffuseColor', 'emissiveColor', 'specularColor', 'base_color', 'emission_color']);

/** Whether a texture is used for anything but colour and its alpha: normals, metallic, roughness, occlusion, displacement. */
export function isDataRole({ input }: TextureRole): boolean {
	return !COLOUR_INPUTS.has(input) && input !== 'opacity' && input !== 'opacityThreshold';
}

/** Walks the shading network of a material, through the interfaces of node graphs. */
export function materialNetwork(material: Prim): MaterialNetwork {
	const roles = new Map<Path, Map<string, TextureRole>>();
	const shaders = new Map<Path, Prim>();
	const queue: { shader: Prim; input: string; output: string }[] = [];
	const visit = (shader: Prim, input: string, output: string): void => {
		shaders.set(shader.path, shader);
		let known = roles.get(shader.path);
		if (known === undefined) {
			known = new Map();
			roles.set(shader.path, known);
		}
		const key = `${input} ${output}`;
		if (known.has(key)) return;
		known.set(key, { input, output });
		queue.push({ shader, input, output });
	};
	const surface = terminalSource(material, 'surface')?.shader;
	if (surface !== undefined) visit(surface, '', '');
	const displacement = terminalSource(material, 'displacement')?.shader;
	// one shader usually gives both; its other inputs do not displace
	if (displacement !== undefined && displacement.path !== surface?.path) visit(displacement, 'displacement', '');
	for (let i = 0; i < queue.length; i++) {
		const { shader, input } = queue[i]!;
		for (const attribute of shadingAttributes(shader, 'inputs:')) {
			// the role is the input of the terminal shader, whatever lies between
			const role = input === '' ? attribute.name.slice('inputs:'.length) : input;
			for (const producer of valueProducers(attribute, { shaderOutputsOnly: true })) {
				visit(
					producer.prim,
					isTextureCoordinate(shader, attribute) ? 'st' : role,
					producer.name.slice('outputs:'.length),
				);
			}
		}
	}
	const textures: TextureUse[] = [];
	for (const shader of shaders.values()) {
		for (const { file, assetPath } of fileInputs(shader)) {
			textures.push({ shader, file, assetPath, roles: [...roles.get(shader.path)!.values()] });
		}
	}
	return { material, surface, shaders: [...shaders.values()], textures };
}

/** The asset paths that a shader reads, and the attributes that hold them. */
function fileInputs(shader: Prim): { file: Attribute; assetPath: string }[] {
	const found: { file: Attribute; assetPath: string }[] = [];
	for (const attribute of shadingAttributes(shader, 'inputs:')) {
		const type = attribute.typeName;
		if (type !== 'asset' && type !== 'string') continue;
		for (const file of valueProducers(attribute)) {
			const assetPath = dataOf(file.get(), T.asset);
			if (assetPath !== undefined) found.push({ file, assetPath });
		}
	}
	return found;
}

/** Whether an input of a texture says where to read it, not what it gives. */
function isTextureCoordinate(shader: Prim, attribute: Attribute): boolean {
	return shaderId(shader) === 'UsdUVTexture' && attribute.name === 'inputs:st';
}
