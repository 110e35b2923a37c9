import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Zippable, zipSync } from 'fflate';
import { ROOT } from '../source-files.ts';

const FOLDER = join(ROOT, 'editors/vscode');

/** Files that go into the package as they are. */
const PLAIN = [
	'package.json',
	'README.md',
	'LICENSE',
	'language-configuration.json',
	'xml-configuration.json',
	'syntaxes/usda.tmLanguage.json',
	'syntaxes/urdf.tmLanguage.json',
];

/** A packed extension. */
export interface Vsix {
	readonly bytes: Uint8Array;
	/** Names of its files, in order. */
	readonly files: readonly string[];
}

const common = {
	absWorkingDir: ROOT,
	bundle: true,
	write: false,
	minify: true,
	keepNames: true,
	logLevel: 'error',
	conditions: ['@manyworlds/source'],
	legalComments: 'none',
} as const satisfies BuildOptions;

/** The bundles of the extension by their names: client and server, for Node and for workers. */
export async function bundleExtension(): Promise<Map<string, Uint8Array>> {
	const node = { ...common, platform: 'node', target: 'node20', format: 'cjs' } as const;
	const web = { ...common, platform: 'browser', target: 'es2022' } as const;
	const source = (name: string): string => join(FOLDER, `src/${name}.ts`);
	const bundles = {
		'extension.js': build({ ...node, entryPoints: [source('extension')], external: ['vscode'] }),
		// the decoder of WebP brings a file of its own; fixes of textures do without it here
		'server.js': build({
			...node,
			entryPoints: [source('server')],
			external: ['@mujoco/mujoco', '@jsquash/webp', '@foxglove/wasm-zstd'],
			define: { 'import.meta.url': '""' },
		}),
		'extension-web.js': build({ ...web, format: 'cjs', entryPoints: [source('extension-web')], external: ['vscode'] }),
		'server-web.js': build({ ...web, format: 'iife', entryPoints: [source('server-web')] }),
	};
	const found = new Map<string, Uint8Array>();
	for (const [name, work] of Object.entries(bundles)) found.set(name, (await work).outputFiles[0]!.contents);
	return found;
}

/**
 * Packs the extension: a zip file with a manifest, as the Open Packaging Conventions have it. The usual packer brings some three
 * hundred packages, among them ones with install scripts that download, to make a file of a dozen entries.
 */
export async function packVsix(): Promise<Vsix> {
	const content: Zippable = {};
	// the same sources give the same bytes
	const options = { mtime: new Date('2000-01-01T00:00:00'), level: 9 } as const;
	content['extension.vsixmanifest'] = [new TextEncoder().encode(manifest()), options];
	content['[Content_Types].xml'] = [new TextEncoder().encode(CONTENT_TYPES), options];
	for (const name of PLAIN) content[`extension/${name}`] = [readFileSync(join(FOLDER, name)), options];
	for (const [name, bytes] of await bundleExtension()) content[`extension/dist/${name}`] = [bytes, options];
	return { bytes: zipSync(content), files: Object.keys(content).sort() };
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Override PartName="/extension/LICENSE" ContentType="text/plain"/></Types>
`;

interface ExtensionManifest {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	readonly version: string;
	readonly publisher: string;
	readonly engines: { readonly vscode: string };
	readonly categories: readonly string[];
	readonly keywords: readonly string[];
}

function manifest(): string {
	const facts = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as ExtensionManifest;
	const escapeText = (text: string): string =>
		text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
	return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
	<Metadata>
		<Identity Language="en-US" Id="${facts.name}" Version="${facts.version}" Publisher="${facts.publisher}"/>
		<DisplayName>${escapeText(facts.displayName)}</DisplayName>
		<Description xml:space="preserve">${escapeText(facts.description)}</Description>
		<Tags>${escapeText(facts.keywords.join(','))}</Tags>
		<Categories>${escapeText(facts.categories.join(','))}</Categories>
		<GalleryFlags>Public</GalleryFlags>
		<Properties>
			<Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escapeText(facts.engines.vscode)}"/>
			<Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
			<Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value=""/>
			<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace,web"/>
			<Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
		</Properties>
		<License>extension/LICENSE</License>
	</Metadata>
	<Installation>
		<InstallationTarget Id="Microsoft.VisualStudio.Code"/>
	</Installation>
	<Dependencies/>
	<Assets>
		<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
		<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
		<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
	</Assets>
</PackageManifest>
`;
}
