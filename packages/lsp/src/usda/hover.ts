import { type Explanation, explainPath, isAssetFailure, type Path, SchemaRegistry } from '@manyworlds/usd';
import { formatBytes, type Json, type Opinion, SourcePlaces } from '@manyworlds/usd/internal';
import type { PlaceRequest } from '../language-features.ts';
import type { ByteRange } from '../text/document-text.ts';
import type { ComposedStage } from '../workspace/composed-stage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { metadataHelp } from './metadata-help.ts';
import { stagePathsOf } from './references.ts';
import { unitOf } from './units.ts';
import { type LayerInStage, layerInStage } from './usda-request.ts';
import { subjectAt, type UsdaSubject } from './usda-subject.ts';

/** Longest value that is shown [characters]. */
const LONGEST_VALUE = 200;
/** Opinions that are listed. */
const MOST_OPINIONS = 12;
/** Largest image that is shown [bytes]. */
const LARGEST_IMAGE = 48_000;

/** What is known about what stands at a place: composed, with every opinion and where it comes from. */
export async function hover(request: PlaceRequest): Promise<({ readonly markdown: string } & ByteRange) | undefined> {
	const context = await layerInStage(request);
	const subject = context && subjectAt(context.outline, request.offset);
	if (context === undefined || subject === undefined) return undefined;
	const markdown = describe(context, subject);
	return markdown === undefined ? undefined : { markdown, start: subject.start, end: subject.end };
}

function describe(context: LayerInStage, subject: UsdaSubject): string | undefined {
	const { workspace } = context;
	switch (subject.kind) {
		case 'asset':
			return describeAsset(context, subject.assetPath);
		case 'schema':
			return describeSchema(subject.name);
		case 'metadata':
			return metadataHelp(subject.node.name);
		case 'variant':
		case 'variantSet':
			return describeVariants(context, subject);
		default:
			break;
	}
	const { composed, paths } = stagePathsOf(context, subject);
	if (subject.kind === 'value' && subject.node.kind !== 'property') return metadataHelp(subject.node.name);
	const parts = [...paths].slice(0, 3).flatMap((path) => describePath(composed, path, workspace) ?? []);
	return parts.length === 0 ? undefined : parts.join('\n\n---\n\n');
}

/** What the stage has at a path. */
export function describePath(composed: ComposedStage, path: Path, workspace: Workspace): string | undefined {
	const { stage } = composed;
	const places = new SourcePlaces(workspace.store, { excerpts: false });
	const explained = explainPath(stage, path.toString(), { file: workspace.store.name(composed.root), places });
	if ('problem' in explained) return explained.problem;
	const prim = stage.prim(path.primPath);
	if (prim === undefined) return undefined;
	if (!path.isProperty) {
		const schemas = prim.appliedSchemas;
		return [
			`**${prim.specifier} ${prim.typeName || '(no type)'}** \`${path}\``,
			...(prim.kind === undefined ? [] : [`kind: \`${prim.kind}\``]),
			...(schemas.length > 0 ? [`schemas: ${schemas.map((one) => `\`${one}\``).join(', ')}`] : []),
			...prim
				.variantSets()
				.map(
					(set) =>
						`variant \`${set}\` = \`${prim.variantSelection(set) || '(none)'}\` of ${prim.variants(set).join(', ')}`,
				),
			...(prim.isActive ? [] : ['inactive']),
			opinionList(explained, workspace),
		].join('\n\n');
	}
	const definition = prim.definition.property(path.name);
	const { value } = explained;
	const unit = unitOf(path.name, stage);
	const type = explained.typeName ?? (explained.subject === 'relationship' ? 'rel' : '');
	return [
		`**${type} ${path.name}** of \`${path.primPath}\``,
		value === undefined ? 'no value' : `value: \`${shown(value)}\`${unit === undefined ? '' : ` ${unit}`}`,
		...(explained.source === 'fallback' ? [`that is the fallback of ${definition?.schema ?? 'its schema'}`] : []),
		...(definition?.fallback !== undefined && explained.source !== 'fallback'
			? [`fallback of ${definition.schema}: \`${shown(explained.fallback?.value ?? null)}\``]
			: []),
		...(definition?.allowedTokens === undefined
			? []
			: [`one of ${definition.allowedTokens.map((one) => `\`${one}\``).join(', ')}`]),
		opinionList(explained, workspace),
	].join('\n\n');
}

/** Opinions, strongest first, with links to where they stand. */
function opinionList({ opinions, connections }: Explanation, workspace: Workspace): string {
	const lines = [...opinions, ...(connections?.opinions ?? [])].map((one) => opinionLine(one, workspace));
	const more = lines.length > MOST_OPINIONS ? [`- and ${lines.length - MOST_OPINIONS} more`] : [];
	return [...lines.slice(0, MOST_OPINIONS), ...more].join('\n');
}

function opinionLine({ file, line, role, arc, field, value }: Opinion, workspace: Workspace): string {
	const place = line === undefined ? file : `${file}:${line}`;
	const uri = workspace.uris.uri(workspace.fileOf(file));
	const link = line === undefined ? place : `[${place}](${uri}#L${line})`;
	const what = typeof value === 'object' && field === '' ? '' : `: \`${shown(value)}\``;
	const by = arc === 'root' ? '' : ` by ${arc}`;
	return `- ${role === 'winner' ? '**wins**' : role} ${link}${by}${what}`;
}

function shown(value: Json): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
	return cut.replaceAll('`', "'").replaceAll('\n', ' ');
}

function describeSchema(name: string): string | undefined {
	const registry = SchemaRegistry.standard;
	const [base = ''] = name.split(':');
	const found = registry.find(base) ?? registry.findType(base);
	if (found === undefined) return undefined;
	const own = found
		.content()
		.properties.map(({ name: property, typeName }) => `- \`${typeName || 'rel'} ${property}\``);
	const shownOnes = own.slice(0, 20);
	return [
		`**${found.identifier}** (${found.kind}) of ${found.library}`,
		...(found.bases.length > 0 ? [`from ${found.bases.join(', ')}`] : []),
		...(found.builtinSchemas.length > 0 ? [`brings ${found.builtinSchemas.join(', ')}`] : []),
		[...shownOnes, ...(own.length > shownOnes.length ? [`- and ${own.length - shownOnes.length} more`] : [])].join(
			'\n',
		),
	].join('\n\n');
}

function describeAsset({ workspace, layer }: LayerInStage, assetPath: string): string {
	const { store } = workspace;
	const { identifier, refusal } = store.identify(assetPath, layer.identifier);
	if (refusal !== undefined) return `\`${assetPath}\` cannot be read${refusal === '' ? '' : `: ${refusal}`}`;
	const bytes = store.bytes(identifier);
	if (bytes === undefined) return `\`${store.name(identifier)}\``;
	if (isAssetFailure(bytes))
		return `\`${store.name(identifier)}\` ${bytes.failure === '' ? 'does not exist' : bytes.failure}`;
	const type = IMAGES[/\.([a-z]+)$/i.exec(identifier)?.[1]?.toLowerCase() ?? ''];
	const image =
		type === undefined || bytes.length > LARGEST_IMAGE ? [] : [`![${assetPath}](data:${type};base64,${base64(bytes)})`];
	return [
		`[${store.name(identifier)}](${workspace.uris.uri(identifier)}), ${formatBytes(bytes.length)}`,
		...image,
	].join('\n\n');
}

const IMAGES: Readonly<Record<string, string | undefined>> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
};

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
	let text = '';
	for (let i = 0; i < bytes.length; i += 3) {
		const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		const four = [18, 12, 6, 0].map((shift) => BASE64[(bits >> shift) & 63]!);
		const left = bytes.length - i;
		text += left === 1 ? `${four[0]}${four[1]}==` : left === 2 ? `${four[0]}${four[1]}${four[2]}=` : four.join('');
	}
	return text;
}

function describeVariants(context: LayerInStage, subject: UsdaSubject): string | undefined {
	const { composed, paths } = stagePathsOf(context, subject);
	const { node } = subject;
	const set = node.kind === 'variant' ? (node.parent?.name ?? '') : node.name;
	const [path] = paths;
	const prim = path && composed.stage.prim(path);
	if (prim === undefined) return undefined;
	const selected = prim.variantSelection(set);
	return `variant set **${set}** of \`${path}\`: ${prim
		.variants(set)
		.map((one) => (one === selected ? `**${one}** (selected)` : one))
		.join(', ')}`;
}
