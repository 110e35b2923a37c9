import type { SchemaLibrary } from '../schema-library.ts';

/** The schemas of UsdMedia (OpenUSD 26.11). */
export const USD_MEDIA: SchemaLibrary = {
	name: 'usdMedia',
	typePrefix: 'UsdMedia',
	identifierPrefix: '',
	table: `
concrete SpatialAudio : Xformable
	uniform token auralMode = "spatial" <spatial nonSpatial>
	uniform timecode endTime = 0
	uniform asset filePath = @@
	double gain = 1
	uniform double mediaOffset = 0
	uniform token playbackMode = "onceFromStart" <onceFromStart onceFromStartToEnd loopFromStart loopFromStartToEnd loopFromStage>
	uniform timecode startTime = 0
single AssetPreviewsAPI
multiple AuthorshipAPI
	uniform string[] authorship:{}:contact
	uniform string[] authorship:{}:copyrightOwner
	uniform string authorship:{}:created
	uniform string[] authorship:{}:creator
	uniform string authorship:{}:description
	uniform string authorship:{}:digitalSourceType
	uniform string[] authorship:{}:inputs | size=-2
	uniform string authorship:{}:instanceID
	uniform string authorship:{}:softwarePackage
	uniform string authorship:{}:softwareVersion
	uniform string authorship:{}:usageTerms
`,
};
