/** Reading of configurations, by itself so that a check without one loads no schema. */
export { parseCheckConfig } from '@manyworlds/rep158/config';
