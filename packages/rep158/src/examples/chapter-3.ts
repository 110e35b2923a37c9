import type { RuleExample } from './rule-example.ts';

/** Examples for the rules of chapter 3, taken from `conformance/data/rep158` by `npm run docs`. */
export const REP_3_EXAMPLES: Readonly<Record<string, RuleExample>> = {
	'R3.1.1': {
		bad: '# materials.usda\ndef Shader "surface"\n{\n    uniform token info:id = "UnknownSurface"\n    color3f inputs:diffuseColor = (0.5, 0.5, 0.5)\n    token outputs:surface\n}',
		good: '# materials.usda\ndef Shader "surface"\n{\n    uniform token info:id = "UsdPreviewSurface"\n    color3f inputs:diffuseColor = (0.5, 0.5, 0.5)\n    token outputs:surface\n}',
	},
	'R3.1.3': {
		bad: '# materials.usda\n{\n    def Material "paint"\n    {\n        token outputs:surface.connect = </prop/looks/paint/mdl.outputs:out>\n\n        def Shader "surface"\n        {',
		good: '# materials.usda\n{\n    def Material "paint"\n    {\n        token outputs:mdl:surface.connect = </prop/looks/paint/mdl.outputs:out>\n        token outputs:surface.connect = </prop/looks/paint/surface.outputs:surface>\n\n        def Shader "surface"\n        {',
	},
	'R3.1.4': {
		bad: '# materials.usda\n)\n{\n    rel material:binding = </prop/looks/paint>\n    rel material:binding:full = </prop/looks/other>\n}\n\ndef Scope "looks"\n{\n    def Material "paint"\n    {\n        token outputs:surface.connect = </prop/looks/paint/surface.outputs:surface>\n\n        def Shader "surface"\n        {\n            uniform token info:id = "UsdPreviewSurface"\n            color3f inputs:diffuseColor = (0.5, 0.5, 0.5)\n            token outputs:surface\n        }\n    }\n\n    def Material "other"\n    {\n        token outputs:surface.connect = </prop/looks/other/surface.outputs:surface>\n\n        def Shader "surface"\n        {',
		good: '# materials.usda\n)\n{\n    rel material:binding = </prop/looks/paint>\n}\n\ndef Scope "looks"\n{\n    def Material "paint"\n    {\n        token outputs:surface.connect = </prop/looks/paint/surface.outputs:surface>\n\n        def Shader "surface"\n        {',
	},
	'R3.1.6': {
		bad: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.<UDIM>.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb',
		good: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/photo.2024.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n# textures/photo.2024.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.1.7': {
		bad: '# geometries.usda\n    int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n    uniform token subdivisionScheme = "none"\n    texCoord2f[] primvars:st = [(1.1, 0.1), (1.1, 0.9), (1.9, 0.9), (1.9, 0.1), (1.1, 0.1), (1.1, 0.9), (1.9, 0.9), (1.9, 0.1), (1.1, 0.1), (1.1, 0.9), (...\n        interpolation = "faceVarying"\n    )\n}\n# materials.usda\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    token inputs:wrapS = "repeat"\n    token inputs:wrapT = "repeat"\n    float3 outputs:rgb\n}',
		good: '# geometries.usda\n    int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n    uniform token subdivisionScheme = "none"\n    texCoord2f[] primvars:st = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (...\n        interpolation = "faceVarying"\n    )\n}\n# materials.usda\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n}',
	},
	'R3.1.8': {
		bad: '# geometries.usda\n        {\n            uniform token elementType = "face"\n            uniform token familyName = "materialBind"\n            int[] indices = [2, 3, 4, 5]\n        }\n    }\n}',
		good: '# geometries.usda\n        {\n            uniform token elementType = "face"\n            uniform token familyName = "materialBind"\n            int[] indices = [3, 4, 5]\n        }\n    }\n}',
	},
	'R3.1.9': {
		bad: '# materials.usda\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    token inputs:wrapS = "clamp"\n    token inputs:wrapT = "repeat"\n    float3 outputs:rgb\n}',
		good: '# materials.usda\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    token inputs:wrapS = "repeat"\n    token inputs:wrapT = "repeat"\n    float3 outputs:rgb\n}',
	},
	'R3.2.1': {
		bad: '# textures/a.png\n# a PNG file with 16 bits for each channel',
		good: '# textures/a.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.2.2': {
		bad: '# materials.usda\ndef Shader "surface"\n{\n    uniform token info:id = "UsdPreviewSurface"\n    normal3f inputs:normal.connect = </prop/looks/paint/texture.outputs:rgb>\n    token outputs:surface\n}\n\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/normal.png@\n    token inputs:sourceColorSpace = "raw"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n}\n# textures/normal.png\n# a JPEG file',
		good: '# materials.usda\ndef Shader "surface"\n{\n    uniform token info:id = "UsdPreviewSurface"\n    color3f inputs:diffuseColor.connect = </prop/looks/paint/texture.outputs:rgb>\n    token outputs:surface\n}\n\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/roughness_wood.jpg@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n}\n# textures/roughness_wood.jpg\n# a JPEG file',
	},
	'R3.2.3': {
		bad: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.jpg@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float outputs:a\n# textures/a.jpg\n# a JPEG file',
		good: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float outputs:a\n# textures/a.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.2.4': {
		bad: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.ktx2@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n# textures/a.ktx2\n# a KTX2 file',
		good: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n# textures/a.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.2.5': {
		bad: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.exr@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n# textures/a.exr\n# an OpenEXR file',
		good: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n    float3 outputs:rgb\n# textures/a.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.2.6': {
		bad: '# lights.usda\n{\n    def DomeLight "sky"\n    {\n        asset inputs:texture:file = @./textures/sky.exr@\n    }\n}\n# textures/sky.exr\n# an OpenEXR file',
		good: '# lights.usda\n{\n    def DomeLight "sky"\n    {\n        asset inputs:texture:file = @./textures/sky.hdr@\n    }\n}\n# textures/sky.hdr\n# a Radiance HDR file',
	},
	'R3.3.1': {
		bad: '# geometries.usda\n        int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n    }\n}\n# materials.usda\n        def Shader "surface"\n        {\n            uniform token info:id = "UsdPreviewSurface"\n            color3f inputs:diffuseColor.connect = </prop/looks/paint/noise.outputs:out>\n            token outputs:surface\n        }\n\n        def Shader "noise"\n        {\n            uniform token info:id = "ND_noise3d_color3"\n            float3 outputs:out\n        }\n    }\n}',
		good: '# geometries.usda\n        int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n        texCoord2f[] primvars:st = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (...\n            interpolation = "faceVarying"\n        )\n    }\n}\n# materials.usda\n        def Shader "surface"\n        {\n            uniform token info:id = "UsdPreviewSurface"\n            color3f inputs:diffuseColor.connect = </prop/looks/paint/texture.outputs:rgb>\n            token outputs:surface\n        }\n\n        def Shader "texture"\n        {\n            uniform token info:id = "UsdUVTexture"\n            asset inputs:file = @./textures/a.png@\n            token inputs:sourceColorSpace = "sRGB"\n            float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>\n            float3 outputs:rgb\n        }\n\n        def Shader "st"\n        {\n            uniform token info:id = "UsdPrimvarReader_float2"\n            string inputs:varname = "st"\n            float2 outputs:result\n        }\n    }\n}\n# textures/a.png\n# a PNG file with 8 bits for each channel',
	},
	'R3.3.2': {
		bad: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "ND_image_color3"\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>',
		good: '# materials.usda\ndef Shader "texture"\n{\n    uniform token info:id = "UsdUVTexture"\n    asset inputs:file = @./textures/a.png@\n    token inputs:sourceColorSpace = "sRGB"\n    float2 inputs:st.connect = </prop/looks/paint/st.outputs:result>',
	},
	'R3.3.3': {
		bad: '# geometries.usda\n        int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n        color3f[] primvars:displayColor = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] (\n            interpolation = "uniform"\n        )\n    }\n}',
		good: '# geometries.usda\n        int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n        color3f[] primvars:displayColor = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] (\n            interpolation = "vertex"\n        )\n    }\n}',
	},
	'R3.4.1': {
		bad: '# geometries.usda\ndef Mesh "hull"\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n    int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n    uniform token subdivisionScheme = "none"\n}',
		good: '# geometries.usda\ndef Mesh "hull"\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n    int[] faceVertexIndices = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n    uniform token subdivisionScheme = "none"\n}',
	},
	'R3.4.3': {
		bad: '# geometries.usda\n    {\n        float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n        int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n        int[] faceVertexIndices = [1, 3, 2, 0, 6, 7, 5, 4, 4, 5, 1, 0, 3, 7, 6, 2, 2, 6, 4, 0, 5, 7, 3, 1]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n        uniform token orientation = "leftHanded"\n    }\n}',
		good: '# geometries.usda\n    {\n        float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n        int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n        int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n        uniform token subdivisionScheme = "none"\n        uniform token orientation = "rightHanded"\n    }\n}',
	},
	'R3.4.4': {
		bad: '# geometries.usda\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n    int[] faceVertexIndices = [1, 3, 2, 0, 6, 7, 5, 4, 4, 5, 1, 0, 3, 7, 6, 2, 2, 6, 4, 0, 5, 7, 3, 1]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n    uniform token subdivisionScheme = "none"\n    uniform bool doubleSided = true',
		good: '# geometries.usda\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n    int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2), (0.1, 0.1,...\n    uniform token subdivisionScheme = "none"\n    uniform bool doubleSided = true',
	},
	'R3.4.5': {
		bad: '# geometries.usda\ndef Mesh "hull"\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n    int[] faceVertexIndices = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n    uniform token subdivisionScheme = "none"\n}',
		good: '# geometries.usda\ndef Mesh "hull"\n{\n    float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n    int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n    int[] faceVertexIndices = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]\n    point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n    uniform token subdivisionScheme = "none"\n}',
	},
	'R3.4.6': {
		bad: '# geometries.usda\n    def Mesh "hull"\n    {\n        float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 8,...\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n        uniform token subdivisionScheme = "none"\n    }\n}',
		good: '# geometries.usda\n    def Mesh "hull"\n    {\n        float3[] extent = [(-0.1, -0.1, 0), (0.1, 0.1, 0.2)]\n        int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n        int[] faceVertexIndices = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]\n        point3f[] points = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (-0.1, 0.1, 0), (0.1, 0.1, 0), (-0.1, -0.1, 0.2), (0.1, -0.1, 0.2), (-0.1, 0.1, 0.2)...\n        uniform token subdivisionScheme = "none"\n    }\n}',
	},
	'R3.5.1': {
		bad: '# base.usda\ndef Xform "prop"\n{\n    def Xform "bolt_0" (\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {\n        double3 xformOp:translate = (-1, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "bolt_1" (\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "bolt_2" (\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {',
		good: '# base.usda\ndef Xform "prop"\n{\n    def Xform "bolt_0" (\n        instanceable = true\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {\n        double3 xformOp:translate = (-1, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "bolt_1" (\n        instanceable = true\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {\n        double3 xformOp:translate = (0, 0, 0)\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "bolt_2" (\n        instanceable = true\n        prepend references = @./geometries.usda@</bolt>\n    )\n    {',
	},
	'R3.5.2': {
		bad: '# parts/part.usda\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "spot" (\n        prepend apiSchemas = ["RosFrameAPI"]\n    )\n    {\n    }\n}',
		good: '# parts/part.usda\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "spot"\n    {\n    }\n}',
	},
	'R3.5.3': {
		bad: '# base.usda\n{\n    def Xform "part" (\n        instanceable = true\n    )\n    {\n        def Cube "shape"\n        {\n            float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n            double size = 0.2\n            double3 xformOp:translate = (0, 0, 0.1)\n            uniform token[] xformOpOrder = ["xformOp:translate"]\n        }\n    }\n}',
		good: '# base.usda\n{\n    def Xform "part" (\n        instanceable = true\n        prepend references = @./parts/part.usda@\n    )\n    {\n    }\n}\n# parts/part.usda\n#usda 1.0\n(\n    defaultPrim = "part"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\ndef Xform "part"\n{\n    def Cube "shape"\n    {\n        float3[] extent = [(-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)]\n        double size = 0.2\n        double3 xformOp:translate = (0, 0, 0.1)\n        uniform token[] xformOpOrder = ["xformOp:translate"]\n    }\n\n    def Xform "spot"\n    {\n    }\n}',
	},
	'R3.6.1': {
		bad: '# lights.usda\nover "prop"\n{\n    def RtxSunLight "lamp"\n    {\n    }\n}',
		good: '# lights.usda\nover "prop"\n{\n    def SphereLight "lamp"\n    {\n        float inputs:intensity = 100\n        float inputs:radius = 0.01\n    }\n}',
	},
	'R3.6.2': {
		bad: '# lights.usda\nover "prop"\n{\n    def PluginLight "lamp"\n    {\n    }\n}',
		good: '# lights.usda\nover "prop"\n{\n    def DistantLight "lamp"\n    {\n        float inputs:intensity = 1000\n    }\n}',
	},
	'R3.6.4': {
		bad: '# lights.usda\nover "prop"\n{\n    def RectLight "lamp"\n    {\n        float inputs:intensity = 100\n    }\n}',
		good: '# lights.usda\nover "prop"\n{\n    def SphereLight "lamp"\n    {\n        float inputs:intensity = 100\n        float inputs:radius = 0.01\n    }\n}',
	},
	'R3.6.5': {
		bad: '# materials.usda\n    def Shader "surface"\n    {\n        uniform token info:id = "UsdPreviewSurface"\n        color3f inputs:emissiveColor = (0, 0, 0)\n        token outputs:surface\n    }\n}',
		good: '# materials.usda\n    def Shader "surface"\n    {\n        uniform token info:id = "UsdPreviewSurface"\n        color3f inputs:emissiveColor = (0, 1, 0)\n        token outputs:surface\n    }\n}',
	},
	'R3.6.6': {
		bad: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./materials.usda@,\n    @./geometries.usda@\n]\ntimeCodesPerSecond = 1',
		good: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./materials.usda@,\n    @./lights.usda@,\n    @./geometries.usda@\n]\ntimeCodesPerSecond = 1\n# lights.usda\n#usda 1.0\n(\n    defaultPrim = "prop"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "prop"\n{\n    over "lamp"\n    {\n        def SphereLight "bulb"\n        {\n            float inputs:intensity = 100\n            float inputs:radius = 0.05\n        }\n    }\n}',
	},
	'R3.6.7': {
		bad: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./materials.usda@,\n    @./geometries.usda@\n]\ntimeCodesPerSecond = 1',
		good: '# asset.usda\nmetersPerUnit = 1\nsubLayers = [\n    @./materials.usda@,\n    @./lights.usda@,\n    @./geometries.usda@\n]\ntimeCodesPerSecond = 1\n# lights.usda\n#usda 1.0\n(\n    defaultPrim = "prop"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n)\n\nover "prop"\n{\n    def SphereLight "bulb"\n    {\n        float inputs:intensity = 100\n        float inputs:radius = 0.01\n    }\n}',
	},
};
