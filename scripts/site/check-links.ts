import type { RenderedPage } from './render-page.ts';
import type { SitePage } from './site-pages.ts';

/** Links that lead nowhere, each as a sentence. */
export function brokenLinks(pages: ReadonlyMap<SitePage, RenderedPage>, files: ReadonlySet<string>): string[] {
	const byTarget = new Map([...pages].map(([page, rendered]) => [page.target, rendered]));
	const problems: string[] = [];
	for (const [page, { links }] of pages) {
		for (const { target, anchor, written } of links) {
			const found = byTarget.get(target);
			if (found === undefined && !files.has(target)) problems.push(`${page.source}: '${written}' is not there`);
			else if (anchor !== undefined && found !== undefined && !found.anchors.has(anchor))
				problems.push(`${page.source}: '${written}' names no heading`);
		}
	}
	return problems;
}
