/** Interfaces of shape_msgs (5.3 (Jazzy), Apache-2.0): their fields and constants. */
export const SHAPE_MSGS = `
msg/Mesh:
MeshTriangle[] triangles
geometry_msgs/Point[] vertices
msg/MeshTriangle:
uint32[3] vertex_indices
msg/Plane:
float64[4] coef
msg/SolidPrimitive:
uint8 BOX=1
uint8 SPHERE=2
uint8 CYLINDER=3
uint8 CONE=4
uint8 PRISM=5
uint8 type
float64[<=3] dimensions
uint8 BOX_X=0
uint8 BOX_Y=1
uint8 BOX_Z=2
uint8 SPHERE_RADIUS=0
uint8 CYLINDER_HEIGHT=0
uint8 CYLINDER_RADIUS=1
uint8 CONE_HEIGHT=0
uint8 CONE_RADIUS=1
uint8 PRISM_HEIGHT=0
geometry_msgs/Polygon polygon
`;
