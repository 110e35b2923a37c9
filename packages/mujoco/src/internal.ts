export { convertModel } from './convert/convert-model.ts';
export { SolrefMode } from './convert/solref.ts';
export { CompiledModel } from './engine/compiled-model.ts';
export { loadMujoco } from './engine/load-mujoco.ts';
export {
	activeEqualities,
	BOOLEAN_FIELD_NAMES,
	boolField,
	doubleField,
	intField,
	numberField,
} from './engine/mj-fields.ts';
export { inWorld, type MappedEntity } from './engine/model-maps.ts';
export { WorldValues } from './engine/world-values.ts';
