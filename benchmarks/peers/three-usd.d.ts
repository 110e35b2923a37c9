declare module 'three/addons/loaders/usd/USDAParser.js' {
	export class USDAParser {
		parseData(text: string): { readonly specsByPath: Readonly<Record<string, unknown>> };
	}
}

declare module 'three/addons/loaders/usd/USDCParser.js' {
	export class USDCParser {
		parseData(buffer: ArrayBufferLike): { readonly specsByPath: Readonly<Record<string, unknown>> };
	}
}
