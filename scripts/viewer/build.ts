import { buildViewer } from '../../packages/viewer/build/build-viewer.ts';

/** `npm run build:viewer [FOLDER]` */
await buildViewer(process.argv[2]);
