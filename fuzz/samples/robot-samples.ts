import type { Sample } from '../groups/damage-groups.ts';

/** A URDF that has every element that is read, to be damaged. */
export function robotSamples(): Sample[] {
	return [{ name: 'robot', format: 'urdf', bytes: new TextEncoder().encode(URDF) }];
}

const URDF = `<?xml version="1.0" encoding="utf-8"?>
<!-- every element of the format -->
<robot name="Größe &amp; Kraft">
  <material name="rot"><color rgba="0.8 0.1 0.1 0.5"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0 0.2 0"/><mass value="2.5"/><inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"/></inertial>
    <visual name="haut"><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.3 0.1"/></geometry><material name="rot"/></visual>
    <collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>
    <collision><origin rpy="1.57 0 0"/><geometry><sphere radius="0.05"/></geometry></collision>
    <collision><geometry><capsule radius="0.02" height="0.3"/></geometry></collision>
  </link>
  <link name="slide"/><link name="plane"/><link name="free"/><link name="tool"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 0.2" rpy="0 0 0.1"/><axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="20" velocity="3"/><dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="push" type="prismatic"><parent link="arm"/><child link="slide"/><axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="5" velocity="1"/><mimic joint="turn" multiplier="0.5" offset="0.1"/></joint>
  <joint name="table" type="planar"><parent link="slide"/><child link="plane"/><axis xyz="0 1 0"/></joint>
  <joint name="fly" type="floating"><parent link="plane"/><child link="free"/></joint>
  <joint name="hold" type="fixed"><parent link="arm"/><child link="tool"/></joint>
  <transmission name="t"><type>simple</type><joint name="turn"/></transmission>
  <gazebo reference="arm"><sensor type="imu" name="imu"><![CDATA[<always_on>]]></sensor></gazebo>
</robot>
`;
