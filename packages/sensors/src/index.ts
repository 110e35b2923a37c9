export { type CameraMatrix, type CameraOptics, cameraMatrix } from './camera-matrix.ts';
export { Imu, type ImuReading } from './imu.ts';
export { JointWrench, type WrenchReading } from './joint-wrench.ts';
export { LIDAR_DEFAULTS, Lidar, type LidarOptions } from './lidar.ts';
export { RayScene, type RaySceneOptions } from './ray-scene.ts';
export { normalNoise } from './seeded-noise.ts';
