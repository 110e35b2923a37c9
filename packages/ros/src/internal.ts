export { serveTypeDescriptions } from './bus/type-description-service.ts';
export { createDiagnostic as createRosDiagnostic } from './diagnostics.ts';
export { MCAP_DECOMPRESSORS } from './mcap/decompress-chunk.ts';
export { McapPlayer, readCommands } from './mcap/mcap-player.ts';
export { ENTITY_FEATURES, SpawnCode } from './robot/entity-services.ts';
export { createSensors } from './robot/sensor-publisher.ts';
export { isCountable, reportOff } from './spec/report-spec.ts';
export { specBelow } from './spec/robot-spec.ts';
export { shortNames } from './spec/spec-from-model.ts';
