import type { ViewerPage } from '../../../packages/viewer/test/open-page.ts';

/** Size of pictures [pixels]. */
export const WIDTH = 640;
export const HEIGHT = 360;

/** What a page shows of a robot at its start, from the camera of `picture`. */
export interface ShownRobot {
	readonly problem: string | undefined;
	readonly links: readonly string[];
	readonly picture: Uint8Array;
	/** Link of each pixel, rows from the top; -1 for none. */
	readonly map: Int32Array;
	/** From points of the world to the picture: 16 numbers, column by column. */
	readonly camera: readonly number[];
	/** Ends of the lines that show joints, six numbers each. */
	readonly joints: readonly number[];
	/** Corners of each solid in the world. */
	readonly masses: readonly (readonly number[])[];
	readonly inertia: readonly (readonly number[])[];
	readonly colliders: readonly (readonly number[])[];
	/** Errors of the console, from opening it to the last drawing. */
	readonly errors: readonly string[];
}

/** Looks at the robot that a page has opened. */
export async function observeRobot(page: ViewerPage): Promise<ShownRobot> {
	const told = await page.read<
		Omit<ShownRobot, 'picture' | 'map' | 'errors'> & {
			readonly picture: readonly number[];
			readonly map: readonly number[];
		}
	>(`(async () => {
		const { probe, look, problem, asset } = window.manyworlds;
		const { view } = probe;
		look.setTheme('light');
		for (const name of [...look.overlays]) look.toggleOverlay(name);
		const picture = [...new Uint8Array(await (await view.picture(${WIDTH}, ${HEIGHT})).arrayBuffer())];
		const { links: map, camera } = view.linkMap(${WIDTH}, ${HEIGHT});
		const drawn = (name, read) => {
			if (probe.overlays === undefined) return [];
			look.toggleOverlay(name);
			const found = read(probe.overlays);
			view.draw();
			look.toggleOverlay(name);
			return found;
		};
		const solids = (name) => drawn(name, (overlays) => overlays.cornersOf(name).map((corners) => [...corners]));
		return {
			problem,
			links: asset?.robot?.links.map(({ label }) => label) ?? [],
			picture,
			map: [...map],
			camera,
			joints: drawn('joints', (overlays) => [...overlays.linesOf('joints')]),
			masses: solids('masses'),
			inertia: solids('inertia'),
			colliders: solids('colliders'),
		};
	})()`);
	return {
		...told,
		picture: Uint8Array.from(told.picture),
		map: Int32Array.from(told.map),
		errors: page.errors.splice(0),
	};
}
