/** How often properties run, and with which seed. `npm run test:all` runs them in full. */
import type { Parameters } from 'fast-check'

/** A tenth finds what breaks often, and every run of the suite looks elsewhere. */
const SHARE = 0.1
const LEAST = 5

/** `rest`: the files and cases that `.ci/run` has beside those of `npm test`, for a run directly after it. */
export const rest = process.env.ONWARD_TESTS === 'rest'

/** True if everything runs: all files, all runs of all properties, real agents in each kind of terminal. */
export const everything = process.env.ONWARD_TESTS === 'all'

/** The seed of this run of the suite, as its first line prints it. `ONWARD_SEED` runs the same again. */
export const seed = Number(process.env.ONWARD_SEED ?? process.env.ONWARD_RUN_SEED ?? Date.now() % 2 ** 31)

/** A tenth of `n` by default, never less than a handful; `n` in `npm run test:all`. */
export const share = (n: number): number => (everything ? n : Math.min(n, Math.max(LEAST, Math.ceil(n * SHARE))))

/** Returns the first of similar cases in `npm test`, each of them in CI and in `npm run test:all`. */
export const sample = <T>(cases: readonly T[]): readonly T[] => (everything || rest ? cases : cases.slice(0, 1))

/** All `n` runs, always: for a property that also asserts that both sides of its rule were met. */
export const allRuns = <T>(n: number): Parameters<T> => ({ numRuns: n, seed })

/**
 * The parameters of a property that is worth `n` runs; `quick`: so many in `npm test`, where it has hundreds of rows.
 * @example fc.assert(fc.property(fc.string(), (text) => decode(encode(text)) === text), runs(500))
 */
export const runs = <T>(
  n: number,
  { quick, ...more }: Pick<Parameters<T>, 'endOnFailure' | 'path'> & { quick?: number } = {},
): Parameters<T> => ({ numRuns: quick === undefined || everything ? share(n) : quick, seed, ...more })
