/** Markdown without its marks, for clients that show it as it is. */
export function plainText(markdown: string): string {
	return markdown
		.replaceAll(/^```.*\n?/gm, '')
		.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
		.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll(/[*`]/g, '');
}
