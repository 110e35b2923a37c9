export { parseCheckConfig } from './parse-check-config.ts';
