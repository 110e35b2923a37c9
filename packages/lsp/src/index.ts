export type { LanguageHost } from './language-host.ts';
export {
	createLanguageServer,
	type LanguageServer,
	type LanguageServerOptions,
	SERVER_COMMANDS,
} from './language-server.ts';
export { remoteLanguageHost, type WorkerTimers } from './remote-language-host.ts';
