import { createLanguageServer, remoteLanguageHost, type WorkerTimers } from '@manyworlds/lsp';
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';

/** The language server, with files that the page has. */
const scope = self as unknown as Worker & WorkerTimers;
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope));
createLanguageServer(connection, remoteLanguageHost(connection, scope));
