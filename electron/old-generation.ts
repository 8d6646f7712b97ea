import { setFlagsFromString } from 'node:v8'

/** How much may be added to what lives before V8 looks for what no longer does. */
const GROWTH_PERCENT = 100

/**
 * V8 lets its old generation grow to up to four times of what lives in it, where little of the time goes into
 * collections. What a request made is old when the answer takes longer than two minor collections, so with 64 requests
 * of 200 KB at once garbage gathered for a minute of full load, 40 MB of RSS. Twice what lives costs no measurable
 * time (docs/performance.md).
 *
 * To be called before compiled code that is kept is read or written: it fits a V8 with the same flags only.
 */
export function limitOldGeneration(setFlag: (flag: string) => void = setFlagsFromString): void {
  setFlag(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
