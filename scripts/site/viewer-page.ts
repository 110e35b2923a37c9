import type { SitePage } from './site-pages.ts';

/** Robots that the viewer brings along. */
const ROBOTS = ['heron', 'egret', 'crane', 'plover'] as const;

/** The page with the viewer on example robots; where pages come from a folder, browsers start no modules, so that a picture stands in. */
export function viewerPage(isBuilt: boolean): { page: SitePage; html: string; isEmbedded: boolean } {
	const page: SitePage = { source: 'viewer', target: 'viewer.html', title: 'Viewer', section: 'Guide', text: '' };
	const buttons = ROBOTS.map((name) => `<button type="button" data-robot="${name}">${name}</button>`).join(' ');
	const live = `<p>${buttons}</p>
<div id="viewer"><img src="guide/images/view-overlays.png" alt="A robot in the viewer, with frames and joint axes drawn"></div>
<p id="viewer-note">Browsers start the viewer from a server only, not from a folder: <code>npx manyworlds view robot.usda</code> is one.</p>
<script>
if (location.protocol !== 'file:') {
	const frame = document.createElement('iframe');
	frame.title = 'Viewer';
	const open = (name) => { frame.src = 'viewer/index.html?folder=examples/' + name + '/list.json'; };
	open('${ROBOTS[0]}');
	document.querySelector('#viewer').replaceChildren(frame);
	document.querySelector('#viewer-note').remove();
	for (const button of document.querySelectorAll('[data-robot]')) button.addEventListener('click', () => open(button.dataset.robot));
}
</script>`;
	const missing =
		'<p>This copy was made without the viewer: <code>npm run build:viewer</code>, then build the site again.</p>';
	return {
		page,
		html: `<h1>Viewer</h1>\n<p>The <a href="guide/view.html">viewer</a> on example robots.</p>\n${isBuilt ? live : missing}`,
		isEmbedded: isBuilt,
	};
}
