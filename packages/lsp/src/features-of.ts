import type { LanguageFeatures } from './language-features.ts';
import { USDA_FEATURES } from './usda/usda-features.ts';
import type { DocumentKind } from './workspace/document-kind.ts';
import { MJCF_NAMES } from './xml/mjcf-names.ts';
import { URDF_NAMES } from './xml/urdf-names.ts';
import { xmlFeatures } from './xml/xml-features.ts';
import { YAML_FEATURES } from './yaml/yaml-features.ts';

const URDF_FEATURES = xmlFeatures('urdf', URDF_NAMES);
const MJCF_FEATURES = xmlFeatures('mjcf', MJCF_NAMES);

/** What the server does with texts of a kind; undefined for those that it leaves alone. */
export function featuresOf(kind: DocumentKind): LanguageFeatures | undefined {
	switch (kind.kind) {
		case 'usda':
			return USDA_FEATURES;
		case 'urdf':
		case 'xacro':
			return URDF_FEATURES;
		case 'mjcf':
			return MJCF_FEATURES;
		case 'yaml':
			return YAML_FEATURES;
		default:
			return undefined;
	}
}
