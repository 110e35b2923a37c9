import { posix } from 'node:path';
import { SECTION_NAMES, type SitePage } from './site-pages.ts';

/** Pages of a section that the menu lists one by one; longer ones have an index. */
const MOST_LISTED = 60;

/** A whole page around its contents. Addresses are relative, so that the folder works from anywhere. */
export function pageHtml(page: SitePage, contents: string, pages: readonly SitePage[], hasApi: boolean): string {
	const up = posix.relative(posix.dirname(page.target), '.') || '.';
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Manyworlds</title>
<link rel="stylesheet" href="${up}/site.css">
<script>document.documentElement.dataset.root = ${JSON.stringify(`${up}/`)};</script>
<script src="${up}/search-index.js" defer></script>
<script src="${up}/search.js" defer></script>
</head>
<body>
<a class="skip" href="#contents">Skip to the text</a>
<header>
<a class="home" href="${up}/index.html">Manyworlds</a>
<form role="search"><label class="hidden" for="search">Search</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="results"></form>
${hasApi ? `<a href="${up}/api/index.html">API</a>` : ''}
<a href="${up}/viewer.html">Viewer</a>
</header>
<div id="results" role="region" aria-label="Search results" hidden></div>
<div class="columns">
<nav aria-label="Pages">${menu(page, pages, up)}</nav>
<main id="contents">
${contents}
</main>
</div>
</body>
</html>
`;
}

function menu(page: SitePage, pages: readonly SitePage[], up: string): string {
	return SECTION_NAMES.map((name) => {
		const own = pages.filter((each) => each.section === name);
		const index = own.find((each) => each.target.endsWith('/index.html'));
		const listed = own.length > MOST_LISTED && index !== undefined ? [index] : own;
		const items = listed.map((each) => {
			const isHere = each === page ? ' aria-current="page"' : '';
			return `<li><a href="${up}/${each.target}"${isHere}>${escapeHtml(each.title)}</a></li>`;
		});
		const isOpen = page.section === name || name === SECTION_NAMES[0] ? ' open' : '';
		return `<details${isOpen}><summary>${name}</summary><ul>${items.join('')}</ul></details>`;
	}).join('');
}

export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export const STYLE = `:root {
	color-scheme: light dark;
	--text: light-dark(#1c2024, #e8eaed);
	--quiet: light-dark(#5b636d, #a0a7b0);
	--back: light-dark(#ffffff, #14171a);
	--panel: light-dark(#f4f6f8, #1d2125);
	--line: light-dark(#d9dee3, #33393f);
	--link: light-dark(#0b5cad, #7db9f5);
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--back); }
a { color: var(--link); }
header { position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center; padding: .6rem 1.2rem;
	background: var(--back); border-bottom: 1px solid var(--line); }
.home { font-weight: 650; text-decoration: none; color: inherit; }
form { flex: 1; }
#search { width: 100%; max-width: 26rem; padding: .4rem .7rem; font: inherit; color: inherit; background: var(--panel);
	border: 1px solid var(--line); border-radius: .4rem; }
#results { position: fixed; top: 3.4rem; left: 1rem; right: 1rem; max-width: 46rem; max-height: 75vh; overflow: auto; z-index: 3;
	padding: .5rem; background: var(--back); border: 1px solid var(--line); border-radius: .5rem; box-shadow: 0 8px 30px #0003; }
#results a { display: block; padding: .45rem .6rem; border-radius: .35rem; text-decoration: none; color: inherit; }
#results a:hover, #results a:focus { background: var(--panel); }
#results small { display: block; color: var(--quiet); }
.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 3.2rem; align-self: start; max-height: calc(100vh - 3.2rem); overflow: auto; padding: 1rem; font-size: .92rem; }
nav summary { font-weight: 600; cursor: pointer; padding: .2rem 0; }
nav ul { list-style: none; margin: 0 0 .6rem; padding: 0 0 0 .6rem; }
nav a { display: block; padding: .1rem 0; text-decoration: none; color: var(--quiet); }
nav a[aria-current] { color: var(--text); font-weight: 600; }
main { padding: 1rem 2rem 4rem; max-width: 62rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 4rem; }
pre { padding: .9rem 1rem; overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .45rem; font-size: .86rem; line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
:not(pre) > code { background: var(--panel); padding: .08em .3em; border-radius: .25em; }
table { display: block; overflow: auto; border-collapse: collapse; font-size: .93rem; }
th, td { padding: .35rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--panel); }
img { max-width: 100%; height: auto; border-radius: .4rem; }
iframe { width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: .5rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; z-index: 4; background: var(--back); padding: .4rem; }
.hidden { position: absolute; left: -100vw; }
@media (max-width: 52rem) { .columns { grid-template-columns: 1fr; } nav { position: static; max-height: none; } main { padding: 1rem; } }
`;
