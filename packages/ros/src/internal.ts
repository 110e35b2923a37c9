export { serveTypeDescriptions } from './bus/type-description-service.ts';
export { createDiagnostic as createRosDiagnostic } from './diagnostics.ts';
export { MCAP_DECOMPRESSORS } from './mcap/decompress-chunk.ts';
export { McapPlayer, readCommands } from './mcap/mcap-player.ts';
export { ENTITY_FEATURES, SpawnCode } from './robot/entity-services.ts';
export { isCountable, reportOff } from './robot/report-spec.ts';
export { specBelow } from './robot/robot-spec.ts';
export { createSensors } from './robot/sensor-publisher.ts';
export { shortNames } from './robot/spec-from-model.ts';
