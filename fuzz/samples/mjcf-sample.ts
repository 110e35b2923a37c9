/** An MJCF model with every kind of element that is imported. Everything it needs is in the text. */
export const MJCF_SAMPLE: string = `<mujoco model="fuzz">
	<compiler angle="degree" eulerseq="XyZ" autolimits="true" inertiagrouprange="0 4" boundmass="0.01" balanceinertia="true"/>
	<option timestep="0.004" gravity="0 0 -9" impratio="2" integrator="implicit" cone="elliptic"><flag sleep="enable"/></option>
	<default>
		<geom density="800" friction="0.8 0.01"/>
		<default class="limb"><joint damping="2" range="-60 60"/><geom rgba="1 0 0 1"/></default>
		<default class="visual"><geom contype="0" conaffinity="0" group="2"/></default>
		<position kp="30" ctrlrange="-1 1"/>
	</default>
	<asset>
		<mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1" face="0 2 1 0 1 3 0 3 2 1 2 4 1 4 3 2 3 4" scale="0.1 0.2 0.1"/>
		<mesh name="cloud" vertex="0 0 0 1 0 0 0 1 0 0 0 1" refpos="0.1 0 0" refquat="1 0 0 1"/>
		<material name="red" rgba="1 0 0 0.5"/>
		<hfield name="hills" nrow="2" ncol="3" size="1 1 0.2 0.1" elevation="0 1 2 3 4 5"/>
	</asset>
	<worldbody>
		<geom name="floor" type="plane" size="0 0 1"/>
		<geom type="hfield" hfield="hills" pos="3 0 0"/>
		<body name="base" pos="0 0 1" euler="10 20 30" childclass="limb">
			<freejoint name="root"/>
			<geom name="trunk" type="box" size="0.2 0.1 0.1"/>
			<geom type="mesh" mesh="wedge" class="visual" material="red"/>
			<geom type="capsule" mesh="cloud" fitscale="0.5"/>
			<site name="imu" pos="0 0 0.1" zaxis="1 1 0"/>
			<frame pos="0.2 0 0" axisangle="0 0 1 45">
				<body name="upper">
					<joint name="hip" axis="0 1 0" ref="10" stiffness="3" springref="5" frictionloss="0.1" solreflimit="0.01 1"/>
					<joint name="twist" axis="0 0 1" actuatorfrcrange="-5 5"/>
					<geom name="thigh" type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04"/>
					<body name="lower" pos="0 0 -0.3" xyaxes="0 1 0 -1 0 0" gravcomp="0.5">
						<joint name="ankle" type="ball"/>
						<inertial pos="0 0 -0.1" mass="1" fullinertia="0.3 0.3 0.2 0.01 0 0"/>
						<geom name="shin" type="cylinder" size="0.03 0.1" margin="0.01" gap="0.002"/>
						<site name="toe" type="capsule" fromto="0 0 0 0.1 0 0" size="0.01"/>
					</body>
				</body>
			</frame>
		</body>
		<replicate count="3" offset="0 0.5 0" euler="0 0 20" sep="-">
			<body name="pole" pos="2 0 0"><joint name="slider" type="slide" range="0 0.5"/><geom size="0.1"/></body>
		</replicate>
		<body name="target" mocap="true"><geom size="0.05"/></body>
	</worldbody>
	<tendon>
		<fixed name="coupling" stiffness="2" range="-1 1"><joint joint="slider-0" coef="1"/><joint joint="slider-1" coef="-2"/></fixed>
		<spatial name="wire"><site site="imu"/><geom geom="shin" sidesite="toe"/><pulley divisor="2"/><site site="toe"/></spatial>
	</tendon>
	<equality>
		<connect body1="lower" body2="target" anchor="0 0 0"/>
		<weld body1="base" body2="target" relpose="0 0 1 1 0 0 0" active="false"/>
		<joint joint1="slider-0" joint2="slider-1" polycoef="0 1 0.1 0 0" solref="0.03 1"/>
	</equality>
	<contact><pair geom1="shin" geom2="floor" condim="1"/><exclude body1="base" body2="upper"/></contact>
	<actuator>
		<position name="servo" joint="hip" dampratio="1" inheritrange="1"/><velocity joint="twist" kv="2"/>
		<motor tendon="coupling" gear="3"/><general site="imu" gear="0 0 1" gainprm="2"/><muscle joint="slider-2" force="10"/>
		<cylinder joint="slider-2" area="0.01"/><adhesion body="lower" ctrlrange="0 1" gain="2"/>
		<position joint="slider-0" cranksite="imu"/>
	</actuator>
	<sensor><gyro site="imu"/></sensor>
	<keyframe><key name="rest" time="1" qpos="0 0 1 1 0 0 0 0.1 0.2 1 0 0 0 0 0 0"/></keyframe>
</mujoco>`;
