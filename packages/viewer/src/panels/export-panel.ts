import { html, nothing, type TemplateResult } from 'lit';
import type { ConvertFormat } from 'manyworlds';
import type { App } from '../app.ts';

const FORMATS: readonly (readonly [ConvertFormat, string, string])[] = [
	['glb', 'glb', 'glTF binary, what it looks like'],
	['urdf', 'urdf', 'URDF with meshes'],
	['sdf', 'sdf', 'SDF with meshes'],
	['mjcf', 'xml', 'MJCF with meshes'],
	['rep', 'usda', 'OpenUSD by REP 0158'],
	['usdz', 'usdz', 'OpenUSD package'],
];

/** Other formats, pictures and the files themselves. */
export function exportPanel(app: App): TemplateResult {
	const formats = FORMATS.filter(([format]) => format !== 'usdz' || app.asset?.format === 'usd');
	return html`
		${
			app.asset?.format === 'scene'
				? nothing
				: html`<ul class="exports">
						${formats.map(
							([format, extension, what]) =>
								html`<li><button @click=${() => void app.exportTo(format, extension)}>${what}</button></li>`,
						)}
					</ul>`
		}
		<ul class="exports">
			<li><button @click=${() => void app.screenshot()}>Picture as PNG</button></li>
			<li><button aria-pressed=${app.isFilming} @click=${() => app.film()}>${app.isFilming ? 'End the video' : 'Video as WebM'}</button></li>
			<li><button @click=${() => void app.downloadFiles()}>All files as zip</button></li>
		</ul>
	`;
}
