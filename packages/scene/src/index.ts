/** The version of the scene schema that this package reads. @public */
export const SCENE_SCHEMA_VERSION = 1;
