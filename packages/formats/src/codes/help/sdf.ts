import type { CodeHelp } from '@manyworlds/core/internal';
import type { SDF_CODES } from '../sdf.ts';

/** What to do about the codes of SDF documents and their import. */
export const SDF_HELP: Readonly<Record<keyof typeof SDF_CODES, CodeHelp>> = {
	SDF001: {
		title: 'Not an SDF file',
		help: 'The outermost element of an SDF file is `sdf`, with a version. Files with another one are something else, such as URDF (`robot`) or MJCF (`mujoco`).',
		bad: '<robot name="arm"/>',
		good: '<sdf version="1.9">\n  <model name="arm"/>\n</sdf>',
		language: 'xml',
	},
	SDF002: {
		title: 'Something required is missing',
		help: 'An element lacks an attribute or a child that it cannot do without: the name of a link, the parent and child of a joint, the geometry of a collision. It is left out; the rest is read.',
		bad: '<joint name="elbow" type="revolute">\n  <parent>upper</parent>\n</joint>',
		good: '<joint name="elbow" type="revolute">\n  <parent>upper</parent>\n  <child>lower</child>\n</joint>',
		language: 'xml',
	},
	SDF003: {
		title: 'Value cannot be read',
		help: 'An element holds something else than the numbers that belong there: words, too few or too many numbers, a number that is not finite. The default value is taken instead.',
		bad: '<pose>0 0 nan 0 0 0</pose>',
		good: '<pose>0 0 1 0 0 0</pose>',
		language: 'xml',
	},
	SDF004: {
		title: 'Name given twice',
		help: 'Links, joints, frames and nested models of one model share their names, and so do models of a world. The first one is taken; the second is left out.',
		bad: '<model name="arm">\n  <link name="base"/>\n  <frame name="base"/>\n</model>',
		language: 'xml',
	},
	SDF005: {
		title: 'Reference leads nowhere',
		help: 'A pose, a joint or a frame names a frame that its model does not have. Names of nested models are reached with `::`, as in `gripper::palm`. A pose is taken as if it named nothing; a joint without a parent or child is left out.',
		bad: '<link name="tool"><pose relative_to="flnage">0 0 1 0 0 0</pose></link>',
		language: 'xml',
	},
	SDF006: {
		title: 'Frames go round in a circle',
		help: 'Poses that are given relative to each other, or frames that are attached to each other, lead back to where they began, so that none of them has a place. The one where the circle was found is taken as if it named nothing.',
		bad: '<frame name="a"><pose relative_to="b"/></frame>\n<frame name="b"><pose relative_to="a"/></frame>',
		language: 'xml',
	},
	SDF007: {
		title: 'Name is reserved',
		help: 'Names between double underscores (`__model__`) and `world` belong to the format, and `::` leads into models. The element is read under this name all the same.',
	},
	SDF008: {
		title: 'Not read',
		help: 'The file has an element that SDF does not know, or whose content has no meaning for a robot.',
	},
	SDF009: {
		title: 'Included model cannot be read',
		help: 'An `include` names a model that is not there, cannot be read, or is no SDF. `model://name` is looked up in the package map, then in folders of that name above the file; a folder needs a `model.config` or a `model.sdf`.',
		bad: '<include><uri>model://no_such_model</uri></include>',
		language: 'xml',
	},
	SDF010: {
		title: 'Models include each other',
		help: 'A model includes itself, directly or through others, or includes are nested too deeply. The include where this was found is left out.',
	},
	SDF011: {
		title: 'Value outside its range',
		help: 'A number has no meaning where it stands, such as a negative mass or size. The message says what is taken instead.',
	},
	SDF012: {
		title: 'Unknown kind of joint or shape',
		help: 'A joint is `revolute`, `continuous`, `prismatic`, `fixed`, `ball`, `universal`, `revolute2`, `screw` or `gearbox`; one of another type is read as fixed, so that what hangs on it is not lost. A shape of an unknown kind is left out.',
		bad: '<joint name="j" type="hinge"/>',
		language: 'xml',
	},
	SDF013: {
		title: 'Shape that cannot be used',
		help: 'Height maps and images are ground, not parts of robots, and are left out. Of a mesh with parts, a part that the file does not have cannot be taken.',
	},
	SDF014: {
		title: 'Link without inertia',
		help: 'SDF gives a link without `inertial` a mass of 1 kg and an inertia of 1 kg m² about each axis. That is what is read; write the masses that are meant.',
		bad: '<link name="tool"/>',
		good: '<frame name="tool" attached_to="wrist"/>',
		language: 'xml',
	},
	SDF015: {
		title: 'Mass from volumes',
		help: 'With `auto="true"` masses come from the volumes of the collisions. They are computed here from the same shapes; engines may differ for meshes that are not closed.',
	},
};
