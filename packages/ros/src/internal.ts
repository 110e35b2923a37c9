export { createDiagnostic as createRosDiagnostic } from './diagnostics.ts';
