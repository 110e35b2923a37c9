/** Messages between an environment and a program that learns: frames of `core`. Arrays follow each other without gaps, those of bytes last. */

/** Kinds of frames. */
export const FrameKind = {
	/** To the program: JSON that tells the spaces, see `EnvHello`. */
	HELLO: 1,
	/** To the environment: a seed (64-bit float, not a number for none), then a byte for each world that begins anew, or nothing for all. */
	RESET: 2,
	/** To the environment: actions. */
	STEP: 3,
	/** To the program: observations. */
	OBSERVATIONS: 4,
	/** To the program: observations, rewards, last observations and sums of rewards of episodes that ended; then terminated, truncated. */
	STEPPED: 5,
	/** To the program: a sentence. */
	ERROR: 6,
	/** To the environment: the end. */
	CLOSE: 7,
} as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** Version of the messages. */
export const FRAME_VERSION = 1;
