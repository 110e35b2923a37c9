import chromium from '@sparticuz/chromium';

/**
 * Unpacks the bundled browser before test files start: two processes that find none would write the same file, and the
 * one that starts it first finds it busy.
 */
export async function setup(): Promise<void> {
	if (process.env['CHROMIUM_PATH'] !== undefined) return;
	// suites say themselves that there is no browser
	await chromium.executablePath().catch(() => undefined);
}
