import {
	type Box3,
	CanvasTexture,
	GridHelper,
	Group,
	Mesh,
	type Object3D,
	PlaneGeometry,
	ShadowMaterial,
	Sprite,
	SpriteMaterial,
	Vector3,
} from 'three';

/** Part of its size by which a robot must reach below the origin before the ground goes down to it. */
const SUNK = 0.02;

/** Lines of the ground within the radius of what stands on it, at least. */
const STEPS = 2.5;

/** Lines of the ground on each side of the origin, and how many are numbered. */
const LINES = 10;
const NUMBERED = 5;

/** The ground: shadows fall on it, and its lines and numbers suit the size of what stands on it. */
export class MeasuredGround extends Group {
	readonly #marks = new Group();

	constructor() {
		super();
		const shade = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.28, depthWrite: false }));
		shade.receiveShadow = true;
		shade.position.z = -0.0005;
		shade.scale.setScalar(100);
		this.add(shade, this.#marks);
	}

	/**
	 * Goes below what is in a box: many robots are drawn about the origin of their trunk, and a ground through their middle says
	 * nothing. Tells whether it was elsewhere.
	 */
	putBelow(box: Box3): boolean {
		const isBelow = !box.isEmpty() && box.min.z < -SUNK * box.getSize(new Vector3()).length();
		const height = isBelow ? box.min.z : 0;
		const isMoved = Math.abs(height - this.position.z) > 1e-6;
		this.position.z = height;
		return isMoved;
	}

	/** Draws lines and numbers for what has a radius [m]. Gives what gives up those before, for when they are drawn no more. */
	measure(radius: number, numbered: number = NUMBERED): (() => void)[] {
		const step = roundLength(Math.min(10, Math.max(0.01, radius / STEPS)));
		const before = [...this.#marks.children];
		const count = LINES * Math.max(1, Math.ceil(radius / step / LINES));
		const lines = new GridHelper(2 * count * step, 2 * count, 0x8a93a0, 0xb4bbc6);
		lines.rotation.x = Math.PI / 2;
		lines.material.transparent = true;
		lines.material.opacity = 0.55;
		lines.material.depthWrite = false;
		this.#marks.add(lines);
		for (let i = 1; i <= numbered; i++) {
			const text = step >= 0.999 ? `${Math.round(i * step)} m` : `${Math.round(i * step * 100)} cm`;
			this.#marks.add(label(text, i * step, 0, step), label(text, 0, i * step, step));
		}
		return before.map((mark) => {
			this.#marks.remove(mark);
			return () => disposeMark(mark);
		});
	}
}

/** The length of 1, 2 or 5 times a power of ten that is not longer than another. */
function roundLength(length: number): number {
	const power = 10 ** Math.floor(Math.log10(length) + 1e-9);
	const share = length / power;
	return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}

/** Gives up a grid or a label of the ground. */
function disposeMark(mark: Object3D): void {
	if (mark instanceof GridHelper) mark.dispose();
	else if (mark instanceof Sprite) {
		mark.material.map?.dispose();
		mark.material.dispose();
	}
}

/** A word on the ground. */
function label(text: string, x: number, y: number, size: number): Sprite {
	const canvas = document.createElement('canvas');
	[canvas.width, canvas.height] = [128, 48];
	const context = canvas.getContext('2d')!;
	context.font = '600 30px system-ui, sans-serif';
	context.fillStyle = '#6b7280';
	context.textAlign = 'center';
	context.fillText(text, 64, 34);
	const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthWrite: false }));
	sprite.frustumCulled = false;
	sprite.position.set(x, y, 0.02 * size);
	sprite.scale.set(0.8 * size, 0.3 * size, 1);
	return sprite;
}
