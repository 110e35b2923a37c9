/** What makes `name` unfit as the name of a member, or undefined when it is fit. */
export function memberNameFault(name: string): string | undefined {
	if (name === '') return 'it is empty';
	if (name.includes('\0')) return 'it holds a NUL';
	if (name.includes('\\')) return 'it holds a backslash';
	if (name.startsWith('/')) return 'it is absolute';
	if (/^[A-Za-z]:/.test(name)) return 'it starts with a drive letter';
	if (name.split('/').includes('..')) return "it leaves the package by '..'";
	return undefined;
}

/** Whether the name is one of a layer. */
export function isLayerName(name: string): boolean {
	return /\.(usd|usda|usdc)$/i.test(name);
}

/** Whether the name is one of a package. */
export function isPackageName(name: string): boolean {
	return /\.usdz$/i.test(name);
}
