/**
 * Tells the format of an asset by its content: the magic of crates, packages and usda, or the outermost element of XML.
 * The extension decides where the content does not. @public
 */
export function detectAssetFormat(bytes: Uint8Array, file = ''): AssetFormat | undefined {
	// a copy: browsers do not decode memory that threads share
	const head = new TextDecoder().decode(bytes.slice(0, 4096));
	if (head.startsWith('PXR-USDC') || head.startsWith('PK\u0003\u0004') || head.startsWith('#usda')) return 'usd';
	const root = rootElement(bytes);
	if (root === 'robot') return 'urdf';
	if (root === 'mujoco' || root === 'mujocoinclude') return 'mjcf';
	if (root === 'sdf') return 'sdf';
	if (root !== undefined) return undefined;
	const extension = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
	return EXTENSIONS[extension];
}

/** Formats of assets. `importAsset` reads SDF by what it is given to translate it. @public */
export type AssetFormat = 'usd' | 'urdf' | 'mjcf' | 'sdf';

const EXTENSIONS: Readonly<Record<string, AssetFormat>> = {
	usd: 'usd',
	usda: 'usd',
	usdc: 'usd',
	usdz: 'usd',
	urdf: 'urdf',
	mjcf: 'mjcf',
	xml: 'mjcf',
	sdf: 'sdf',
	world: 'sdf',
};

/** Name of the outermost element of an XML text, past the declaration, comments and instructions. */
function rootElement(bytes: Uint8Array): string | undefined {
	const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe;
	const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes.subarray(0, 1 << 20));
	let at = /^\s*/.exec(text.replace(/^\ufeff/, ' '))![0].length;
	for (;;) {
		const rest = text.slice(at, at + 4);
		const closing = rest.startsWith('<!--')
			? '-->'
			: rest.startsWith('<?')
				? '?>'
				: rest.startsWith('<!')
					? '>'
					: undefined;
		if (closing === undefined) break;
		const end = text.indexOf(closing, at);
		if (end < 0) return undefined;
		at = end + closing.length;
		while (/\s/.test(text[at] ?? '')) at++;
	}
	return /^<([A-Za-z_][\w.:-]*)/.exec(text.slice(at, at + 200))?.[1];
}
