import { register } from 'tsx/esm/api';

// threads do not take over the loader of the process
register();
await import('./worker.ts');
