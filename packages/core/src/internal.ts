export { type CodeHelp, type CodeInfo, describeCodes } from './code-help.ts';
export { diagnosticMaker } from './diagnostic.ts';
export { formatGitlab } from './format/gitlab.ts';
export { toJsonReport } from './format/json.ts';
export { formatDiagnostic } from './format/text.ts';
export { type ByteFrame, ByteFrameReader, byteFrame } from './frames/byte-frames.ts';
export { type JsonPath, JsonPlaces } from './json/json-places.ts';
export { findJsonFault } from './json/json-scanner.ts';
export { eigenSymmetric3 } from './math/eigen.ts';
export { exponential, naturalLog, normalQuantile, normalShare } from './math/elementary.ts';
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
export { hashText, PhiloxStream, philox4x32, stir } from './math/philox.ts';
export { mat3Polar, mat4ToTrs } from './math/polar.ts';
export { principalInertia } from './math/principal-inertia.ts';
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
export { arcTangent, arcTangent2, cosine, sine, tangent } from './math/trigonometry.ts';
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
export { printable } from './quote.ts';
export { SEVERITIES } from './report.ts';
export { sha256Hex } from './sha256.ts';
export { EXCERPT_WIDTH } from './source.ts';
export { TextPlaces } from './text-places.ts';
export { readNumberList } from './xml/number-list.ts';
export type { ReadXmlOptions } from './xml/read-xml.ts';
export { readXml } from './xml/read-xml.ts';
export { XmlDocument, XmlElement, type XmlNode } from './xml/xml-document.ts';
