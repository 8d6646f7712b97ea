import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'

/** Environment of an engine whose computer was off for so long before it started. */
export const aheadBy = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, 'clock-ahead.mjs')).href}`,
  TEST_CLOCK_AHEAD_MS: String(ms),
})
