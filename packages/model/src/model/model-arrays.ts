/**
 * The arrays of a model, flat and row by row: a row of `width` numbers for each entity, in index order. Angles are
 * radians, quaternions x y z w, transforms position then quaternion. Arrays are views of the model's memory: what is
 * written to them is the model's value from then on. @public
 */
export class ModelArrays {
	// particles
	/** Position [m]; shape (particles, 3). */
	readonly particleQ!: Float64Array;
	/** Velocity [m/s]; shape (particles, 3). */
	readonly particleQd!: Float64Array;
	/** Mass [kg], 0 for kinematic; shape (particles). */
	readonly particleMass!: Float64Array;
	/** 1 / mass [1/kg], 0 for kinematic; shape (particles). */
	readonly particleInvMass!: Float64Array;
	/** Radius [m]; shape (particles). */
	readonly particleRadius!: Float64Array;
	/** Bits of `ParticleFlags`; shape (particles). */
	readonly particleFlags!: Int32Array;
	/** World, -1 for global; shape (particles). */
	readonly particleWorld!: Int32Array;
	/** First particle of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly particleWorldStart!: Int32Array;

	// springs, triangles, edges, tetrahedra
	/** Two particles; shape (springs, 2). */
	readonly springIndices!: Int32Array;
	/** Rest length [m]; shape (springs). */
	readonly springRestLength!: Float64Array;
	/** Stiffness [N/m]; shape (springs). */
	readonly springStiffness!: Float64Array;
	/** Damping [N·s/m]; shape (springs). */
	readonly springDamping!: Float64Array;
	/** Actuation level; shape (springs). */
	readonly springControl!: Float64Array;
	/** Three particles; shape (triangles, 3). */
	readonly triIndices!: Int32Array;
	/** Inverse of the rest edge matrix [1/m], 2 x 2 by rows; shape (triangles, 4). */
	readonly triPoses!: Float64Array;
	/** Actuation level; shape (triangles). */
	readonly triActivations!: Float64Array;
	/** ke [N/m], ka [N/m], kd [N·s/m], drag, lift; shape (triangles, 5). */
	readonly triMaterials!: Float64Array;
	/** Rest area [m²]; shape (triangles). */
	readonly triAreas!: Float64Array;
	/** Two opposite particles (-1 for none), then the two of the edge; shape (edges, 4). */
	readonly edgeIndices!: Int32Array;
	/** Rest angle between the triangles [rad]; shape (edges). */
	readonly edgeRestAngle!: Float64Array;
	/** Rest length [m]; shape (edges). */
	readonly edgeRestLength!: Float64Array;
	/** Bending stiffness [N·m/rad] and damping [N·m·s/rad]; shape (edges, 2). */
	readonly edgeBendingProperties!: Float64Array;
	/** Four particles; shape (tetrahedra, 4). */
	readonly tetIndices!: Int32Array;
	/** Inverse of the rest edge matrix [1/m], 3 x 3 by rows; shape (tetrahedra, 9). */
	readonly tetPoses!: Float64Array;
	/** Actuation level; shape (tetrahedra). */
	readonly tetActivations!: Float64Array;
	/** mu [Pa], lambda [Pa], damping; shape (tetrahedra, 3). */
	readonly tetMaterials!: Float64Array;

	// bodies
	/** Pose of the body frame in the world [m, quaternion]; shape (bodies, 7). */
	readonly bodyQ!: Float64Array;
	/** Velocity of the centre of mass [m/s], angular velocity [rad/s], in world axes; shape (bodies, 6). */
	readonly bodyQd!: Float64Array;
	/** Centre of mass in the body frame [m]; shape (bodies, 3). */
	readonly bodyCom!: Float64Array;
	/** Mass [kg]; shape (bodies). */
	readonly bodyMass!: Float64Array;
	/** 1 / mass [1/kg], 0 for massless; shape (bodies). */
	readonly bodyInvMass!: Float64Array;
	/** Inertia about the centre of mass in body axes [kg·m²], 3 x 3; shape (bodies, 9). */
	readonly bodyInertia!: Float64Array;
	/** Inverse of the inertia [1/(kg·m²)], zero where there is none; shape (bodies, 9). */
	readonly bodyInvInertia!: Float64Array;
	/** Bits of `BodyFlags`; shape (bodies). */
	readonly bodyFlags!: Int32Array;
	/** World, -1 for global; shape (bodies). */
	readonly bodyWorld!: Int32Array;
	/** First body of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly bodyWorldStart!: Int32Array;

	// shapes
	/** Pose in the body, in the world for body -1 [m, quaternion]; shape (shapes, 7). */
	readonly shapeTransform!: Float64Array;
	/** Body, -1 for static; shape (shapes). */
	readonly shapeBody!: Int32Array;
	/** Bits of `ShapeFlags`; shape (shapes). */
	readonly shapeFlags!: Int32Array;
	/** A `GeoType`; shape (shapes). */
	readonly shapeType!: Int32Array;
	/** Size [m], or factors for meshes and heightfields; shape (shapes, 3). */
	readonly shapeScale!: Float64Array;
	/** 1 for solid, 0 for hollow; shape (shapes). */
	readonly shapeIsSolid!: Uint8Array;
	/** Outward offset of the surface [m]; shape (shapes). */
	readonly shapeMargin!: Float64Array;
	/** Further detection distance [m]; shape (shapes). */
	readonly shapeGap!: Float64Array;
	/** Contact stiffness [N/m]; shape (shapes). */
	readonly shapeMaterialKe!: Float64Array;
	/** Contact damping [N·s/m]; shape (shapes). */
	readonly shapeMaterialKd!: Float64Array;
	/** Friction gain [N·s/m]; shape (shapes). */
	readonly shapeMaterialKf!: Float64Array;
	/** Adhesion distance [m]; shape (shapes). */
	readonly shapeMaterialKa!: Float64Array;
	/** Coulomb friction; shape (shapes). */
	readonly shapeMaterialMu!: Float64Array;
	/** Restitution, 0 to 1; shape (shapes). */
	readonly shapeMaterialRestitution!: Float64Array;
	/** Torsional friction [m]; shape (shapes). */
	readonly shapeMaterialMuTorsional!: Float64Array;
	/** Rolling friction [m]; shape (shapes). */
	readonly shapeMaterialMuRolling!: Float64Array;
	/** Hydroelastic stiffness [N/m³]; shape (shapes). */
	readonly shapeMaterialKh!: Float64Array;
	/** Red, green, blue from 0 to 1; shape (shapes, 3). */
	readonly shapeColor!: Float64Array;
	/** 0 invisible to 1 opaque; shape (shapes). */
	readonly shapeOpacity!: Float64Array;
	/** Collision group; 0 never collides; shape (shapes). */
	readonly shapeCollisionGroup!: Int32Array;
	/** Radius of a sphere that encloses the shape [m]; shape (shapes). */
	readonly shapeCollisionRadius!: Float64Array;
	/** Lower corner of the scaled shape in its own frame, without margin [m]; shape (shapes, 3). */
	readonly shapeCollisionAabbLower!: Float64Array;
	/** Upper corner of the scaled shape in its own frame, without margin [m]; shape (shapes, 3). */
	readonly shapeCollisionAabbUpper!: Float64Array;
	/** Pairs of shapes that may collide, the smaller index first, ascending; shape (pairs, 2). */
	readonly shapeContactPairs!: Int32Array;
	/** Pairs on different bodies that never collide, the smaller index first, ascending; shape (pairs, 2). */
	readonly shapeCollisionFilterPairs!: Int32Array;
	/** World, -1 for global; shape (shapes). */
	readonly shapeWorld!: Int32Array;
	/** First shape of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly shapeWorldStart!: Int32Array;

	// joints, one row per joint
	/** A `JointType`; shape (joints). */
	readonly jointType!: Int32Array;
	/** Body that carries the joint, -1 for the world; shape (joints). */
	readonly jointParent!: Int32Array;
	/** Body that the joint moves; shape (joints). */
	readonly jointChild!: Int32Array;
	/** Joint that moves the parent body, -1 for none; shape (joints). */
	readonly jointAncestor!: Int32Array;
	/** Articulation, -1 for none (loop joints); shape (joints). */
	readonly jointArticulation!: Int32Array;
	/** Joint frame in the parent [m, quaternion]; shape (joints, 7). */
	readonly jointXP!: Float64Array;
	/** Joint frame in the child [m, quaternion]; shape (joints, 7). */
	readonly jointXC!: Float64Array;
	/** Numbers of linear and of angular axes; shape (joints, 2). */
	readonly jointDofDim!: Int32Array;
	/** 1 for enabled; shape (joints). */
	readonly jointEnabled!: Uint8Array;
	/** First coordinate of each joint, then the total; shape (joints + 1). */
	readonly jointQStart!: Int32Array;
	/** First degree of freedom of each joint, then the total; shape (joints + 1). */
	readonly jointQdStart!: Int32Array;
	/** First constraint of each joint, then the total; shape (joints + 1). */
	readonly jointConstraintStart!: Int32Array;
	/** World, -1 for global; shape (joints). */
	readonly jointWorld!: Int32Array;
	/** First joint of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly jointWorldStart!: Int32Array;

	// joints, one row per coordinate
	/** Initial coordinates [m, rad, quaternion]; shape (coordinates). */
	readonly jointQ!: Float64Array;
	/** Target coordinates [m, rad, quaternion]; shape (coordinates). */
	readonly jointTargetQ!: Float64Array;
	/** First coordinate of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly jointCoordWorldStart!: Int32Array;

	// joints, one row per degree of freedom
	/** Initial velocities [m/s, rad/s]; shape (dofs). */
	readonly jointQd!: Float64Array;
	/** Applied forces [N, N·m]; shape (dofs). */
	readonly jointF!: Float64Array;
	/** Feed-forward control [N, N·m]; shape (dofs). */
	readonly jointAct!: Float64Array;
	/** Target velocities [m/s, rad/s]; shape (dofs). */
	readonly jointTargetQd!: Float64Array;
	/** Unit axis in the joint frame of the parent; shape (dofs, 3). */
	readonly jointAxis!: Float64Array;
	/** Added inertia [kg, kg·m²]; shape (dofs). */
	readonly jointArmature!: Float64Array;
	/** A `JointTargetMode`; shape (dofs). */
	readonly jointTargetMode!: Int32Array;
	/** Drive stiffness [N/m, N·m/rad]; shape (dofs). */
	readonly jointTargetKe!: Float64Array;
	/** Drive damping [N·s/m, N·m·s/rad]; shape (dofs). */
	readonly jointTargetKd!: Float64Array;
	/** Passive damping [N·s/m, N·m·s/rad]; shape (dofs). */
	readonly jointDamping!: Float64Array;
	/** Lower limit [m, rad], -1e10 for none; shape (dofs). */
	readonly jointLimitLower!: Float64Array;
	/** Upper limit [m, rad], 1e10 for none; shape (dofs). */
	readonly jointLimitUpper!: Float64Array;
	/** Limit stiffness [N/m, N·m/rad]; shape (dofs). */
	readonly jointLimitKe!: Float64Array;
	/** Limit damping [N·s/m, N·m·s/rad]; shape (dofs). */
	readonly jointLimitKd!: Float64Array;
	/** Greatest drive force [N, N·m]; shape (dofs). */
	readonly jointEffortLimit!: Float64Array;
	/** Greatest speed [m/s, rad/s]; shape (dofs). */
	readonly jointVelocityLimit!: Float64Array;
	/** Dry friction [N, N·m]; shape (dofs). */
	readonly jointFriction!: Float64Array;
	/** First degree of freedom of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly jointDofWorldStart!: Int32Array;
	/** First joint constraint of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly jointConstraintWorldStart!: Int32Array;

	// articulations
	/** First joint of each articulation, then the number of joints; shape (articulations + 1). */
	readonly articulationStart!: Int32Array;
	/** Behind the last tree joint of each articulation; shape (articulations). */
	readonly articulationEnd!: Int32Array;
	/** World, -1 for global; shape (articulations). */
	readonly articulationWorld!: Int32Array;
	/** First articulation of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly articulationWorldStart!: Int32Array;

	// equality constraints
	/** An `EqualityType`; shape (equalities). */
	readonly equalityConstraintType!: Int32Array;
	/** First body, -1 for the world; shape (equalities). */
	readonly equalityConstraintBody1!: Int32Array;
	/** Second body, -1 for the world; shape (equalities). */
	readonly equalityConstraintBody2!: Int32Array;
	/** Anchor [m], in body 1 for connect, in body 2 for weld; shape (equalities, 3). */
	readonly equalityConstraintAnchor!: Float64Array;
	/** Weight of the rotation beside the translation of a weld; shape (equalities). */
	readonly equalityConstraintTorquescale!: Float64Array;
	/** Pose of body 2 in body 1 [m, quaternion]; shape (equalities, 7). */
	readonly equalityConstraintRelpose!: Float64Array;
	/** Joint that follows, -1 for none; shape (equalities). */
	readonly equalityConstraintJoint1!: Int32Array;
	/** Joint that leads, -1 for none; shape (equalities). */
	readonly equalityConstraintJoint2!: Int32Array;
	/** Coefficients of the quartic, constant first; shape (equalities, 5). */
	readonly equalityConstraintPolycoef!: Float64Array;
	/** 1 for enabled; shape (equalities). */
	readonly equalityConstraintEnabled!: Uint8Array;
	/** World, -1 for global; shape (equalities). */
	readonly equalityConstraintWorld!: Int32Array;
	/** First equality of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly equalityConstraintWorldStart!: Int32Array;

	// mimic constraints
	/** Joint that follows; shape (mimics). */
	readonly constraintMimicJoint0!: Int32Array;
	/** Joint that leads; shape (mimics). */
	readonly constraintMimicJoint1!: Int32Array;
	/** Offset [m, rad]; shape (mimics). */
	readonly constraintMimicCoef0!: Float64Array;
	/** Factor; shape (mimics). */
	readonly constraintMimicCoef1!: Float64Array;
	/** 1 for enabled; shape (mimics). */
	readonly constraintMimicEnabled!: Uint8Array;
	/** World, -1 for global; shape (mimics). */
	readonly constraintMimicWorld!: Int32Array;
	/** First mimic of each world, then of the tail globals, then the total; shape (worlds + 2). */
	readonly constraintMimicWorldStart!: Int32Array;

	/** Gravity of each world [m/s²]; shape (worlds, 3). Change it with `setGravity`. */
	readonly gravity!: Float64Array;

	constructor(arrays: ModelArrayData) {
		Object.assign(this, arrays);
	}
}

/** Names of the arrays of a model. @public */
export type ModelArrayName = keyof ModelArrays;

/** All arrays of a model by name. @public */
export type ModelArrayData = { readonly [N in ModelArrayName]: ModelArrays[N] };
