import { type Layer, type Path, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';

/** Types of prims that hold what a simulator executes. */
const GRAPH_TYPE = /^(?:OmniGraph|ComputeGraph|ActionGraph)/;

/** Whether a spec of a layer is an execution graph, or a node of one. */
export function isGraphSpec(layer: Layer, path: Path): boolean {
	return GRAPH_TYPE.test(dataOf(layer.data.field(path, 'typeName'), T.token) ?? '');
}

/** The topmost graph that a spec is or lies in; undefined for what is no graph. */
export function graphAbove(layer: Layer, path: Path): Path | undefined {
	let found: Path | undefined;
	for (let at: Path | null = path.primPath; at !== null; at = at.parent) if (isGraphSpec(layer, at)) found = at;
	return found;
}

/** Whether a graph has a node that speaks to ROS. */
export function isRosGraph(layer: Layer, graph: Path): boolean {
	const stack = [graph];
	for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
		const type = layer.data.field(path.appendProperty('node:type'), 'default');
		if (typeof type?.data === 'string' && /ros/i.test(type.data)) return true;
		for (const name of dataOf(layer.data.field(path, 'primChildren'), T.tokenVector) ?? [])
			stack.push(path.appendChild(name));
	}
	return false;
}
