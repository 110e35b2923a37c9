import {
	type Box3,
	BoxGeometry,
	type BufferGeometry,
	Group,
	InstancedMesh,
	Matrix4,
	MeshBasicMaterial,
	Quaternion,
	SphereGeometry,
	Vector3,
} from 'three';
import type { JointRow, RobotParts } from '../asset/asset-types.ts';
import { drawBoxes } from './box-lines.ts';
import { drawDrives, type PlacedJoint, perpendicular } from './drive-lines.ts';
import { drawFilters } from './filter-lines.ts';
import { LineCloud, type LineWriter } from './line-cloud.ts';
import { writePose } from './pose-matrix.ts';
import { drawSensors } from './sensor-lines.ts';
import { ShapeGeometries } from './shape-geometries.ts';
import { drawSupport } from './support-lines.ts';

/** What can be drawn over a robot. */
export const OVERLAYS = {
	frames: 'Frames',
	joints: 'Axes',
	colliders: 'Colliders',
	inertia: 'Inertia',
	masses: 'Masses',
	contacts: 'Contacts',
	support: 'Balance',
	sensors: 'Sensors',
	drives: 'Drives',
	filters: 'No contact',
	boxes: 'Boxes',
} as const;
export type OverlayName = keyof typeof OVERLAYS;
/** Those that are lines. */
type LineOverlay = Exclude<OverlayName, SolidOverlay>;
/** Those that have surfaces. */
type SolidOverlay = 'colliders' | 'inertia' | 'masses';

const RED = [0.9, 0.22, 0.2];
const GREEN = [0.2, 0.7, 0.25];
const BLUE = [0.2, 0.45, 0.95];
const YELLOW = [0.95, 0.7, 0.1];
const GREY = [0.55, 0.58, 0.62];
const ORANGE = [1, 0.45, 0.05];
/** Segments of an arc over a whole turn. */
const ARC_SEGMENTS = 48;
/** Can be told from robots and grounds in both themes. */
const MASS_COLOR = 0xd6336c;

/** Drawings over a robot that show what cannot be seen of it. They follow the poses of the first world. */
export class OverlayView extends Group {
	readonly #robot: RobotParts;
	/** Length of axes [m]. */
	readonly #size: number;
	readonly #lines: Readonly<Record<LineOverlay, LineCloud>>;
	readonly #solids: Readonly<Record<SolidOverlay, Group>>;
	readonly #placed: { readonly mesh: InstancedMesh; readonly link: number; readonly matrix: Matrix4 }[] = [];
	readonly #shapes: ShapeGeometries;
	readonly #made = new Set<OverlayName>();
	/** Length of an arrow for a force [m/N]: the weight of the robot is eight axes long. */
	readonly meterOfNewton: number;
	#poses: Float32Array;
	#contacts: Float32Array = new Float32Array();
	#points: Float32Array = new Float32Array();
	#coordinates: ArrayLike<number>;
	#targets: ArrayLike<number>;
	readonly #boxesOf: () => ReadonlyMap<number, Box3>;
	#boxes: ReadonlyMap<number, Box3> | undefined;
	#selected = -1;

	/** `boxesOf` gives what each link needs of room, in its own frame; it is asked when boxes are shown first. */
	constructor(robot: RobotParts, size: number, boxesOf: () => ReadonlyMap<number, Box3>) {
		super();
		this.#robot = robot;
		this.#size = size;
		this.#poses = robot.poses;
		this.#coordinates = robot.coordinates;
		this.#targets = robot.targets;
		this.#boxesOf = boxesOf;
		const mass = robot.links.reduce((sum, link) => sum + link.mass, 0);
		this.meterOfNewton = (8 * size) / (9.81 * (mass || 1));
		this.#lines = {
			frames: new LineCloud(),
			joints: new LineCloud(),
			contacts: new LineCloud(),
			support: new LineCloud(),
			sensors: new LineCloud(),
			drives: new LineCloud(),
			filters: new LineCloud(),
			boxes: new LineCloud(),
		};
		this.#solids = { colliders: new Group(), inertia: new Group(), masses: new Group() };
		this.#shapes = new ShapeGeometries(robot.meshes);
		for (const part of [...Object.values(this.#lines), ...Object.values(this.#solids)]) {
			part.visible = false;
			this.add(part);
		}
		this.setPoses(robot.poses);
	}

	show(name: OverlayName, isShown: boolean): void {
		if (isShown) this.#make(name);
		(name in this.#lines ? this.#lines[name as 'frames'] : this.#solids[name as 'inertia']).visible = isShown;
		this.setPoses(this.#poses);
	}

	/** Points [m] and forces [N] of contacts, six numbers each. */
	setContacts(contacts: Float32Array): void {
		this.#contacts = contacts;
	}

	/** What lidars see [m], three numbers each. */
	setPoints(points: Float32Array): void {
		this.#points = points;
	}

	/** Takes the link that a person looks at; -1 for none. */
	select(link: number): void {
		this.#selected = link;
		this.setPoses(this.#poses);
	}

	/** Coordinates of joints and where drives aim [m, rad]. */
	setCoordinates(coordinates: ArrayLike<number>, targets: ArrayLike<number> = this.#robot.targets): void {
		this.#coordinates = coordinates;
		this.#targets = targets;
	}

	setPoses(poses: Float32Array): void {
		this.#poses = poses;
		const pose = new Matrix4();
		const matrix = new Matrix4();
		for (const { mesh, link, matrix: own } of this.#placed) {
			if (link < 0) matrix.copy(own);
			else matrix.multiplyMatrices(writePose(pose, poses, 7 * link), own);
			mesh.setMatrixAt(0, matrix);
			mesh.instanceMatrix.needsUpdate = true;
		}
		const { frames, joints, contacts, support, sensors, drives, filters, boxes } = this.#lines;
		if (frames.visible) frames.draw((lines) => this.#drawFrames(lines));
		if (joints.visible) joints.draw((lines) => this.#drawJoints(lines));
		if (contacts.visible) contacts.draw((lines) => this.#drawContacts(lines));
		if (support.visible) support.draw((lines) => drawSupport(lines, this.#robot, poses, this.#contacts, this.#size));
		if (drives.visible) {
			drives.draw((lines) =>
				drawDrives(lines, this.#placedJoints(), this.#coordinates, this.#targets, 1.4 * this.#size),
			);
		}
		if (filters.visible) filters.draw((lines) => drawFilters(lines, this.#robot, poses, this.#selected));
		if (boxes.visible) {
			this.#boxes ??= this.#boxesOf();
			boxes.draw((lines) => drawBoxes(lines, this.#boxes!, poses));
		}
		if (sensors.visible) {
			sensors.draw((lines) => drawSensors(lines, this.#robot.sensors, poses, this.#points, this.#size));
		}
	}

	/** Ends of the lines of an overlay, six numbers each, for tests. */
	linesOf(name: LineOverlay): Float32Array {
		return this.#lines[name].ends();
	}

	/** World positions of the corners of each solid of an overlay, for tests. */
	cornersOf(name: SolidOverlay): Float32Array[] {
		return this.#placed
			.filter(({ mesh }) => mesh.parent === this.#solids[name])
			.map(({ mesh }) => {
				const matrix = new Matrix4();
				mesh.getMatrixAt(0, matrix);
				const corners = mesh.geometry.getAttribute('position').clone().applyMatrix4(matrix);
				return Float32Array.from(corners.array);
			});
	}

	override dispose(): void {
		this.#shapes.dispose();
		for (const { mesh } of this.#placed) {
			mesh.geometry.dispose();
			(mesh.material as MeshBasicMaterial).dispose();
			mesh.dispose();
		}
		for (const lines of Object.values(this.#lines)) lines.dispose();
		this.removeFromParent();
	}

	/** Makes solids when they are shown first: those of a large robot take a while. */
	#make(name: OverlayName): void {
		if (this.#made.has(name)) return;
		this.#made.add(name);
		if (name === 'colliders') this.#addColliders();
		else if (name === 'inertia') this.#addInertia();
		else if (name === 'masses') this.#addMasses();
	}

	#addColliders(): void {
		for (const shape of this.#robot.shapes) {
			if (!shape.collides || shape.kind === 'plane') continue;
			const { geometry, matrix } = this.#shapes.of(shape);
			this.#place('colliders', geometry, 0x18a05e, shape.link, matrix, true);
		}
	}

	#addInertia(): void {
		for (const [link, { inertiaBox, center }] of this.#robot.links.entries()) {
			if (inertiaBox === undefined) continue;
			const [x, y, z] = inertiaBox.half as [number, number, number];
			const matrix = new Matrix4().compose(
				new Vector3(...center),
				new Quaternion(...(inertiaBox.rotation as [number, number, number, number])),
				new Vector3(1, 1, 1),
			);
			this.#place('inertia', new BoxGeometry(2 * x, 2 * y, 2 * z), 0xd9480f, link, matrix, true);
		}
	}

	#addMasses(): void {
		for (const [link, { mass, center }] of this.#robot.links.entries()) {
			if (!(mass > 0)) continue;
			const matrix = new Matrix4().makeTranslation(...center);
			this.#place('masses', new SphereGeometry(this.#size * 0.12, 12, 8), MASS_COLOR, link, matrix, false);
		}
	}

	#place(
		group: SolidOverlay,
		geometry: BufferGeometry,
		color: number,
		link: number,
		matrix: Matrix4,
		isClear: boolean,
	): void {
		const material = new MeshBasicMaterial({
			color,
			transparent: true,
			opacity: isClear ? 0.32 : 0.9,
			depthWrite: false,
			depthTest: isClear,
			// in front of the surface that it lies on, also where both are round and made of other facets
			polygonOffset: true,
			polygonOffsetFactor: -4,
			polygonOffsetUnits: -400,
			wireframe: false,
		});
		const mesh = new InstancedMesh(geometry, material, 1);
		mesh.frustumCulled = false;
		this.#solids[group].add(mesh);
		this.#placed.push({ mesh, link, matrix });
	}

	#drawFrames(lines: LineWriter): void {
		const pose = new Matrix4();
		for (const [link] of this.#robot.links.entries()) {
			writePose(pose, this.#poses, 7 * link);
			const origin = new Vector3().setFromMatrixPosition(pose);
			for (const [axis, color] of [RED, GREEN, BLUE].entries()) {
				const end = new Vector3().setFromMatrixColumn(pose, axis).multiplyScalar(this.#size).add(origin);
				lines.line(origin, end, color);
			}
			const joint = this.#robot.joints[this.#robot.links[link]!.joint];
			if (joint !== undefined && joint.parent >= 0) {
				const parent = new Vector3().fromArray(this.#poses, 7 * joint.parent);
				lines.line(origin, parent, joint.kind === 'fixed' ? GREY : YELLOW);
			}
		}
	}

	#drawJoints(lines: LineWriter): void {
		for (const joint of this.#robot.joints) {
			const frame = this.#jointFrame(joint);
			const origin = new Vector3().setFromMatrixPosition(frame);
			for (const { axis, motion, lower, upper } of joint.freedoms) {
				const direction = new Vector3(...axis).transformDirection(frame);
				const reach = direction.clone().multiplyScalar(this.#size * 0.8);
				const color = motion === 'turn' ? ORANGE : BLUE;
				lines.line(origin.clone().sub(reach), origin.clone().add(reach), color);
				const isBounded = Number.isFinite(lower) && Number.isFinite(upper);
				if (motion === 'turn')
					this.#drawArc(lines, origin, direction, isBounded ? [lower, upper] : [-Math.PI, Math.PI]);
				else if (isBounded) {
					const at = (q: number): Vector3 => direction.clone().multiplyScalar(q).add(origin);
					lines.line(at(lower), at(upper), YELLOW);
				}
			}
			// the two ends of a joint that closes a loop
			if (joint.isLoop) lines.line(origin, new Vector3().fromArray(this.#poses, 7 * joint.child), RED);
		}
	}

	#drawArc(lines: LineWriter, origin: Vector3, axis: Vector3, [lower, upper]: readonly [number, number]): void {
		const x = perpendicular(axis).multiplyScalar(this.#size * 0.5);
		const span = Math.min(upper - lower, 2 * Math.PI);
		const count = Math.max(2, Math.ceil((ARC_SEGMENTS * span) / (2 * Math.PI)));
		let before: Vector3 | undefined;
		for (let i = 0; i <= count; i++) {
			const point = x
				.clone()
				.applyAxisAngle(axis, lower + (span * i) / count)
				.add(origin);
			if (before !== undefined) lines.line(before, point, YELLOW);
			before = point;
		}
	}

	#drawContacts(lines: LineWriter): void {
		for (let at = 0; at + 6 <= this.#contacts.length; at += 6) {
			const point = new Vector3().fromArray(this.#contacts, at);
			const force = new Vector3().fromArray(this.#contacts, at + 3);
			this.#drawArrow(lines, point, force.multiplyScalar(this.meterOfNewton), ORANGE);
		}
	}

	#drawArrow(lines: LineWriter, from: Vector3, along: Vector3, color: readonly number[]): void {
		const tip = from.clone().add(along);
		lines.line(from, tip, color);
		const across = Math.abs(along.z) < 0.9 * along.length() ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
		const side = across.cross(along).normalize();
		const head = Math.min(0.35 * along.length(), 0.3 * this.#size);
		const back = along.clone().normalize().multiplyScalar(-head);
		for (const turn of [0, Math.PI / 2, Math.PI, 1.5 * Math.PI]) {
			const barb = side
				.clone()
				.applyAxisAngle(along.clone().normalize(), turn)
				.multiplyScalar(0.4 * head);
			lines.line(tip, tip.clone().add(back).add(barb), color);
		}
	}

	*#placedJoints(): Generator<PlacedJoint> {
		for (const joint of this.#robot.joints) {
			const frame = this.#jointFrame(joint);
			yield {
				joint,
				origin: new Vector3().setFromMatrixPosition(frame),
				axes: joint.freedoms.map(({ axis }) => new Vector3(...axis).transformDirection(frame)),
			};
		}
	}

	#jointFrame({ parent, frame }: JointRow): Matrix4 {
		const own = writePose(new Matrix4(), frame, 0);
		return parent < 0 ? own : writePose(new Matrix4(), this.#poses, 7 * parent).multiply(own);
	}
}
