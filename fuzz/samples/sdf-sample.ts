/** An SDF world with every kind of element that is read. Everything it needs is in the text. */
export const SDF_SAMPLE: string = `<?xml version="1.0"?>
<sdf version="1.9">
  <world name="yard">
    <light name="sun" type="directional"><pose>0 0 5 0 0 0</pose><direction>0 0 -1</direction><diffuse>1 1 1 1</diffuse></light>
    <model name="robot" canonical_link="base" placement_frame="mount">
      <pose relative_to="__root__">0.1 0.2 0.3 0.1 0.2 0.3</pose>
      <self_collide>true</self_collide>
      <frame name="mount" attached_to="base"><pose>0 0 0.1 0 0 0</pose></frame>
      <frame name="far" attached_to="mount"><pose rotation_format="quat_xyzw">1 0 0 0 0 0 1</pose></frame>
      <link name="base">
        <inertial><pose>0 0 0.1 0.1 0 0</pose><mass>3</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
        <collision name="box"><pose degrees="true">0 0 0 90 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>
          <surface><friction><ode><mu>0.7</mu><mu2>0.6</mu2></ode></friction><bounce><restitution_coefficient>0.1</restitution_coefficient></bounce><contact><collide_bitmask>5</collide_bitmask></contact></surface></collision>
        <visual name="ball"><geometry><sphere><radius>0.4</radius></sphere></geometry><material><diffuse>1 0.5 0 1</diffuse></material></visual>
        <visual name="egg"><geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry></visual>
        <visual name="floor"><geometry><plane><normal>0 0 1</normal><size>2 2</size></plane></geometry></visual>
        <visual name="line"><geometry><polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline></geometry></visual>
        <sensor name="eye" type="camera"><camera><horizontal_fov>1</horizontal_fov><image><width>64</width><height>48</height></image><clip><near>0.1</near><far>10</far></clip></camera></sensor>
        <sensor name="imu" type="imu"><update_rate>100</update_rate></sensor>
      </link>
      <link name="arm"><pose relative_to="shoulder"/><collision name="rod"><geometry><cylinder><radius>0.1</radius><length>1</length></cylinder></geometry></collision>
        <collision name="pill"><geometry><capsule><radius>0.1</radius><length>1</length></capsule></geometry></collision></link>
      <link name="hand"><pose relative_to="arm">0 0 1 0 0 0</pose></link>
      <link name="thumb"><pose relative_to="hand">0.1 0 0 0 0 0</pose></link>
      <joint name="shoulder" type="revolute"><pose relative_to="base">0 0 1 0 0 0</pose><parent>base</parent><child>arm</child>
        <axis><xyz expressed_in="mount">0 0 1</xyz><initial_position>0.2</initial_position><limit><lower>-1</lower><upper>1</upper><effort>10</effort><velocity>2</velocity></limit><dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>3</spring_stiffness><spring_reference>0.1</spring_reference></dynamics></axis></joint>
      <joint name="wrist" type="universal"><parent>arm</parent><child>hand</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
      <joint name="pinch" type="prismatic"><parent>hand</parent><child>thumb</child><axis><xyz>0 1 0</xyz><mimic joint="shoulder" axis="axis"><multiplier>2</multiplier><offset>1</offset><reference>0</reference></mimic></axis></joint>
      <model name="tool"><pose relative_to="hand">0 0 0.2 0 0 0</pose><link name="tip"/><static>false</static></model>
      <joint name="grip" type="fixed"><parent>hand</parent><child>tool::tip</child></joint>
      <plugin name="p" filename="libp.so"><speed>1</speed></plugin>
    </model>
    <model name="wall"><static>true</static><link name="stone"/></model>
  </world>
</sdf>
`;
