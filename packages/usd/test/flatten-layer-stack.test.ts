import { flattenLayerStack, type Layer, MemoryStore, Stage, writeUsda } from '@manyworlds/usd';
import { expect, test } from 'vitest';

const layerText = (text: string): string => `#usda 1.0\n${text}`;

const STRONG = `(
    doc = "strong"
    startTimeCode = 5
)
over "A" (
    prepend references = @./y.usda@ (offset = 3; scale = 2)
    delete apiSchemas = ["Z"]
    prepend apiSchemas = ["P"]
)
{
    reorder nameChildren = ["z", "c"]
    double t = 5
    double u.timeSamples = {
        1: 1,
    }
    append rel r = </A/b>
    def "b"
    {
    }
    variantSet "v" = {
        "b" {
            double fromStrong = 1
        }
        "a" {
            double fromStrong = 1
        }
    }
}
`;

const WEAK = `(
    timeCodesPerSecond = 48
    defaultPrim = "C"
    doc = "weak"
    customLayerData = {
        string c = "c"
        string r = "weak"
    }
)
def Xform "A" (
    kind = "component"
    add references = @./x.usda@
    add apiSchemas = ["Added"]
    variants = {
        string v = "a"
    }
    prepend variantSets = "v"
)
{
    double t.timeSamples = {
        0: 1,
        10: 2,
    }
    double u = 3
    timecode tc = 10
    rel r = </A/c>
    def "z"
    {
    }
    def "c"
    {
    }
    variantSet "v" = {
        "a" {
            double fromWeak = 1
        }
    }
}
`;

const ROOT = `(
    timeCodesPerSecond = 24
    customLayerData = {
        string r = "r"
    }
    subLayers = [
        @./strong.usda@ (offset = 10; scale = 2),
        @./weak.usda@ (offset = 1)
    ]
)
`;

// what OpenUSD 26.11 gives for these layers (UsdUtils.FlattenLayerStack), with its absolute paths made relative
const FLAT = `#usda 1.0
(
    customLayerData = {
        string c = "c"
        string r = "r"
    }
    defaultPrim = "C"
    doc = "strong"
    startTimeCode = 5
    timeCodesPerSecond = 24
)

def Xform "A" (
    delete apiSchemas = ["Z"]
    prepend apiSchemas = ["P"]
    append apiSchemas = ["Added"]
    kind = "component"
    prepend references = @y.usda@ (offset = 16; scale = 4)
    append references = @x.usda@ (offset = 1; scale = 0.5)
    variants = {
        string v = "a"
    }
    prepend variantSets = "v"
)
{
    reorder nameChildren = ["z", "c"]
    rel r = [
        </A/c>,
        </A/b>,
    ]
    double t = 5
    timecode tc = 6
    double u = 3
    double u.timeSamples = {
        12: 1,
    }

    def "z"
    {
    }

    def "c"
    {
    }

    def "b"
    {
    }
    variantSet "v" = {
        "a" {
            double fromStrong = 1
            double fromWeak = 1

        }
        "b" {
            double fromStrong = 1

        }
    }
}

`;

test('sublayers are put together as OpenUSD does', () => {
	const store = new MemoryStore({
		'root.usda': layerText(ROOT),
		'strong.usda': layerText(STRONG),
		'weak.usda': layerText(WEAK),
	});
	const stage = Stage.open(store.open('root.usda') as Layer, { store });
	expect(new TextDecoder().decode(writeUsda(flattenLayerStack(stage).data))).toBe(FLAT);
});
