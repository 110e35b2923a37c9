export type { LanguageHost } from './language-host.ts';
export {
	createLanguageServer,
	type LanguageServer,
	type LanguageServerOptions,
	SERVER_COMMANDS,
} from './language-server.ts';
