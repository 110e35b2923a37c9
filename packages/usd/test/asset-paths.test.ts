import { expect, test } from 'vitest';
import { readUsda, writeUsda } from '../src/index.ts';
import { listAssetPaths, mapAssetPaths } from '../src/internal.ts';

const TEXT = `#usda 1.0
(
    customLayerData = {
        asset source = @source.txt@
        dictionary deep = {
            asset[] more = [@one.txt@, @two.txt@]
        }
    }
    subLayers = [
        @./sub.usda@ (offset = 2)
    ]
)

def "a" (
    payload = @./payload.usda@</P>
    prepend references = [
        @./ref.usda@</R>,
        </b>
    ]
    clips = {
        dictionary default = {
            asset[] assetPaths = [@./clip.1.usd@]
            asset manifestAssetPath = @./manifest.usda@
        }
    }
)
{
    asset file = @./tex.png@
    asset[] files = [@./x.png@, @@]
    asset moving.timeSamples = {
        1: @./m1.png@,
        2: None,
    }
    string notAnAsset = "./other.png"

    def "child" (
        variants = {
            string v = "x"
        }
        append variantSets = "v"
    )
    {
        variantSet "v" = {
            "x" (
                references = @./variant.usda@
            )
            {
            }
        }
    }
}

def "b"
{
}

`;

function read(text: string) {
	return readUsda(new TextEncoder().encode(text), { file: 'test.usda' });
}

test('finds every kind of asset path and nothing else', () => {
	const found = listAssetPaths(read(TEXT)).map(
		({ assetPath, kind, path, field }) => `${kind} ${path} ${field} ${assetPath}`,
	);
	expect(found.sort()).toEqual(
		[
			'asset / customLayerData source.txt',
			'asset / customLayerData one.txt',
			'asset / customLayerData two.txt',
			'sublayer / subLayers ./sub.usda',
			'payload /a payload ./payload.usda',
			'reference /a references ./ref.usda',
			'asset /a clips ./clip.1.usd',
			'asset /a clips ./manifest.usda',
			'asset /a.file default ./tex.png',
			'asset /a.files default ./x.png',
			'asset /a.moving timeSamples ./m1.png',
			'reference /a/child{v=x} references ./variant.usda',
		].sort(),
	);
});

test('maps them in place and keeps the rest', () => {
	const data = read(TEXT);
	expect(mapAssetPaths(data, ({ assetPath }) => `moved/${assetPath}`)).toBe(9);
	const text = new TextDecoder().decode(writeUsda(data));
	expect(text).toBe(new TextDecoder().decode(writeUsda(read(TEXT.replaceAll(/@([\w./]+)@/g, '@moved/$1@')))));
	expect(text).toContain('[@moved/./x.png@, @@]');
	expect(text).toContain('@moved/./sub.usda@ (offset = 2)');
});

test('does not touch a layer whose paths stay as they are', () => {
	const data = read(TEXT);
	expect(mapAssetPaths(data, ({ assetPath }) => assetPath)).toBe(0);
});
