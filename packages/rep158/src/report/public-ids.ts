import type { Diagnostic } from '@manyworlds/core';
import type { RepCode } from '../diagnostics.ts';

/** A check of the public compliance checker (`ros-usd-check`). @public */
export interface PublicCheck {
	/** Its number, which is no section of the REP. */
	readonly id: string;
	readonly validator: string;
}

/** Checks of the public checker by the rule that covers the same statement. @public */
export const PUBLIC_CHECKS: { readonly [rule in RepCode]?: PublicCheck } = {
	'R1.1.1': { id: '1.1.1', validator: 'CoordinateSystem' },
	'R1.1.2': { id: '1.1.2', validator: 'CoordinateSystem' },
	'R1.1.3': { id: '1.1.5', validator: 'CoordinateSystem' },
	'R1.1.5': { id: '1.1.3', validator: 'CoordinateSystem' },
	'R1.1.7': { id: '1.1.6', validator: 'CoordinateSystem' },
	'R1.1.8': { id: '1.1.6', validator: 'CoordinateSystem' },
	'R1.1.9': { id: '1.1.6', validator: 'CoordinateSystem' },
	'R1.1.10': { id: '1.1.7', validator: 'CoordinateSystem' },
	'R1.1.12': { id: '1.1.4', validator: 'CoordinateSystem' },
	'R1.2.1.3': { id: '1.2.12', validator: 'LayerEncoding' },
	'R1.2.1.4': { id: '1.2.13', validator: 'LayerEncoding' },
	'R1.2.2.3': { id: '1.2.6', validator: 'CompositionModel' },
	'R1.2.3.2': { id: '1.2.8', validator: 'InheritsSpecializes' },
	'R1.2.3.6': { id: '1.2.10', validator: 'PayloadKinematicTopology' },
	'R1.2.4.1': { id: '1.2.7', validator: 'VariantDefault' },
	'R1.2.5.1': { id: '1.2.1', validator: 'AssetManagement' },
	'R1.2.5.2': { id: '1.2.2', validator: 'AssetManagement' },
	'R1.2.5.3': { id: '1.2.3', validator: 'AssetManagement' },
	'R1.2.5.5': { id: '1.2.4', validator: 'PathConvention' },
	'R1.2.5.8': { id: '1.2.4', validator: 'PathConvention' },
	'R1.2.5.10': { id: '1.2.9', validator: 'PathConvention' },
	'R1.2.6.1': { id: '1.3.8', validator: 'InstanceablePhysics' },
	'R1.3.3': { id: '1.3.1', validator: 'JointLimits' },
	'R1.3.4': { id: '1.3.2', validator: 'ArticulationRoot' },
	'R1.3.10': { id: '1.3.3', validator: 'MassProperties' },
	'R1.3.11': { id: '1.3.3', validator: 'MassProperties' },
	'R1.3.18': { id: '1.3.7', validator: 'MimicJoint' },
	'R1.3.1.1': { id: '1.3.4', validator: 'CollisionGeometryAuthoring' },
	'R1.3.1.2': { id: '1.3.4', validator: 'CollisionGeometryAuthoring' },
	'R1.3.4.1': { id: '1.3.5', validator: 'CollisionMaterial' },
	'R1.3.4.2': { id: '1.3.5', validator: 'CollisionMaterial' },
	'R1.3.4.3': { id: '1.3.5', validator: 'CollisionMaterial' },
	'R2.1.3': { id: '2.1.2', validator: 'RosContextPlacement' },
	'R2.1.1.1': { id: '2.1.3', validator: 'RosContextPlacement' },
	'R2.1.1.12': { id: '2.1.1', validator: 'RosContextPlacement' },
	'R2.1.1.13': { id: '1.3.8', validator: 'InstanceablePhysics' },
	'R2.2.1': { id: '2.2.2', validator: 'RosInterfacePlacement' },
	'R2.2.2': { id: '2.2.4', validator: 'RosInterfacePlacement' },
	'R2.2.3': { id: '2.2.3', validator: 'RosInterfaceStructure' },
	'R2.2.4': { id: '2.2.1', validator: 'RosInterfacePlacement' },
	'R2.3.3': { id: '2.3.1', validator: 'RosInterfaceStructure' },
	'R2.3.4': { id: '2.4.6', validator: 'RosTopic' },
	'R2.4.1': { id: '2.4.1', validator: 'RosTopic' },
	'R2.4.2': { id: '2.4.2', validator: 'RosTopic' },
	'R2.4.3': { id: '2.4.3', validator: 'RosTopic' },
	'R2.4.4': { id: '2.4.4', validator: 'RosTopic' },
	'R2.4.5': { id: '2.4.7', validator: 'RosTopic' },
	'R2.4.7': { id: '2.4.5', validator: 'RosTopic' },
	'R2.4.8': { id: '2.4.8', validator: 'RosTopic' },
	'R2.4.9': { id: '2.4.9', validator: 'RosTopic' },
	'R2.5.1': { id: '2.5.1', validator: 'RosService' },
	'R2.6.1': { id: '2.6.1', validator: 'RosAction' },
	'R2.7.5': { id: '2.7.1', validator: 'RosFrameAPI' },
	'R2.7.6': { id: '2.7.2', validator: 'RosFrameAttributes' },
	'R2.7.7': { id: '2.7.3', validator: 'RosFrameAttributes' },
	'R2.8.1': { id: '2.8.1', validator: 'CameraOpticalFrame' },
	'R2.8.2': { id: '2.8.1', validator: 'CameraOpticalFrame' },
	'R2.9.1': { id: '2.9.1', validator: 'RosInterfaceStructure' },
	'R2.9.2': { id: '2.9.2', validator: 'RosInterfaceStructure' },
	'R2.10.1': { id: '2.10.1', validator: 'RosJointName' },
	'R3.1.1': { id: '3.1.1', validator: 'MaterialPortability' },
	'R3.1.3': { id: '3.1.1', validator: 'MaterialPortability' },
	'R3.1.6': { id: '3.1.2', validator: 'MaterialPortability' },
	'R3.2.1': { id: '3.2.1', validator: 'TextureFormat' },
	'R3.2.2': { id: '3.2.2', validator: 'TextureFormat' },
	'R3.2.5': { id: '3.2.1', validator: 'TextureFormat' },
	'R3.3.1': { id: '3.3.1', validator: 'TextureBaking' },
	'R3.4.1': { id: '3.4.1', validator: 'GeometryConstraints' },
	'R3.4.3': { id: '3.4.2', validator: 'GeometryConstraints' },
	'R3.4.4': { id: '3.4.3', validator: 'GeometryConstraints' },
	'R3.5.2': { id: '1.3.8', validator: 'InstanceablePhysics' },
	'R3.6.4': { id: '3.6.1', validator: 'LightingPortability' },
	'R4.2.2.4': { id: '4.2.2', validator: 'MimicJoint' },
	'R4.2.2.5': { id: '4.2.4', validator: 'MimicJoint' },
	'R4.2.2.6': { id: '4.2.5', validator: 'MimicJoint' },
};

/** The check of the public checker that a finding stands for; a finding may name a more exact one in its data. @public */
export function publicCheck({ code, data }: Diagnostic): PublicCheck | undefined {
	const usual = PUBLIC_CHECKS[code as RepCode];
	const exact = data?.['publicCheck'];
	return typeof exact === 'string' ? { id: exact, validator: usual?.validator ?? '' } : usual;
}
