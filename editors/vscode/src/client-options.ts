import { workspace } from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';

/** Texts that the server is asked about, and files that it is told about. */
export function clientOptions(): LanguageClientOptions {
	return {
		documentSelector: [
			{ language: 'usda' },
			{ language: 'urdf' },
			{ language: 'xml' },
			{ language: 'yaml' },
			{ language: 'json', pattern: '**/*.scene.json' },
		],
		synchronize: {
			fileEvents: workspace.createFileSystemWatcher('**/*.{usd,usda,usdc,usdz,urdf,xml,yaml,yml,json}'),
		},
	};
}
