import { detectAssetFormat } from '@manyworlds/import';
import { YAML_LANGUAGES, type YamlLanguage } from './yaml-languages.ts';

/** What a text is: which features it has. */
export type DocumentKind =
	| { readonly kind: 'usda' }
	| { readonly kind: 'urdf' | 'mjcf' | 'sdf' }
	/** Templates of XML that somebody expands before it is read. */
	| { readonly kind: 'xacro' }
	| { readonly kind: 'yaml'; readonly language: YamlLanguage }
	| { readonly kind: 'other' };

/** Tells what a text is by its content, and by its name where the content does not say. */
export function documentKind(identifier: string, bytes: Uint8Array): DocumentKind {
	const extension = /\.([a-z0-9]+)$/i.exec(identifier)?.[1]?.toLowerCase() ?? '';
	if (extension === 'usda' || extension === 'usd') return { kind: 'usda' };
	if (extension === 'yaml' || extension === 'yml' || extension === 'json') {
		const text = new TextDecoder().decode(bytes.subarray(0, HEAD));
		const language = YAML_LANGUAGES.find((one) => one.matches(text, identifier));
		return language === undefined ? { kind: 'other' } : { kind: 'yaml', language };
	}
	if (extension === 'xacro') return { kind: 'xacro' };
	const head = new TextDecoder().decode(bytes.subarray(0, HEAD));
	const format = detectAssetFormat(bytes, extension === 'xml' ? '' : identifier);
	if (format === 'urdf') return { kind: /<\s*xacro:|xmlns:xacro\s*=/.test(head) ? 'xacro' : 'urdf' };
	if (format === 'mjcf' || format === 'sdf') return { kind: format };
	if (extension === '' && head.startsWith('#usda')) return { kind: 'usda' };
	return { kind: 'other' };
}

/** Bytes that tell what a text is. */
const HEAD = 65_536;
