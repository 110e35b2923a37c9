export { type CodeHelp, type CodeInfo, describeCodes } from './code-help.ts';
export {
	createDiagnostic,
	type Diagnostic,
	type DiagnosticDetails,
	type DiagnosticMaker,
	diagnosticMaker,
	type Fix,
	type RelatedLocation,
	type TextEdit,
} from './diagnostic.ts';
export { InternalError, UsageRangeError, UsageStateError, UsageTypeError } from './errors.ts';
export { formatGithub } from './format/github.ts';
export {
	formatJson,
	type JsonDiagnostic,
	type JsonFix,
	type JsonReport,
	type JsonSummary,
	toJsonReport,
} from './format/json.ts';
export { formatSarif, type SarifOptions } from './format/sarif.ts';
export { formatCounts, formatDiagnostic, formatText, TEXT_DEFAULTS, type TextOptions } from './format/text.ts';
export { type JsonPath, JsonPlaces } from './json/json-places.ts';
export { findJsonFault, type JsonFault } from './json/json-scanner.ts';
export { eigenSymmetric3 } from './math/eigen.ts';
export { halfToNumber, numberToHalf } from './math/half.ts';
export {
	mat3Copy,
	mat3Determinant,
	mat3Diagonal,
	mat3FromQuat,
	mat3Invert,
	mat3Multiply,
	mat3RotateTensor,
	mat3ToQuat,
	mat3Transform,
	mat3Transpose,
} from './math/mat3.ts';
export {
	mat4Copy,
	mat4Determinant,
	mat4FromTrs,
	mat4Identity,
	mat4Invert,
	mat4Multiply,
	mat4ToMat3,
	mat4TransformDirection,
	mat4TransformPoint,
	mat4Transpose,
} from './math/mat4.ts';
export { mat3Polar, mat4ToTrs } from './math/polar.ts';
export {
	quatBetween,
	quatConjugate,
	quatCopy,
	quatDot,
	quatFromAxisAngle,
	quatFromRotationVector,
	quatIdentity,
	quatInvert,
	quatMultiply,
	quatNormalize,
	quatRotate,
	quatRotateInverse,
	quatSet,
	quatSlerp,
	quatToAxisAngle,
	quatToRotationVector,
} from './math/quat.ts';
export {
	TRANSFORM_SIZE,
	transformCopy,
	transformIdentity,
	transformInvert,
	transformMultiply,
	transformPoint,
	transformPointInverse,
	transformToMat4,
	transformVector,
} from './math/transform.ts';
export {
	vec3Add,
	vec3AddScaled,
	vec3Copy,
	vec3Cross,
	vec3Distance,
	vec3Dot,
	vec3Length,
	vec3Lerp,
	vec3Normalize,
	vec3Scale,
	vec3Set,
	vec3Subtract,
} from './math/vec3.ts';
export { printable, QUOTE_LIMIT, quote } from './quote.ts';
export {
	compareDiagnostics,
	REPORT_DEFAULTS,
	Report,
	type ReportOptions,
	SEVERITIES,
	type SeverityCounts,
} from './report.ts';
export type { Severity } from './severity.ts';
export { EXCERPT_WIDTH, type Excerpt, type SourcePosition, type SourceRange, SourceText } from './source.ts';
export { TextPlaces } from './text-places.ts';
export { readNumberList } from './xml/number-list.ts';
export { READ_XML_DEFAULTS, type ReadXmlOptions, readXml } from './xml/read-xml.ts';
export { XmlAttribute, XmlCharacters, XmlDocument, XmlElement, type XmlNode } from './xml/xml-document.ts';
