import { SCENE_SCHEMA_VERSION } from '@manyworlds/scene';
import { expect, it } from 'vitest';

it('reads scenes of version 1', () => {
	expect(SCENE_SCHEMA_VERSION).toBe(1);
});
