import { expect } from 'vitest'
import type { MockUpstream } from './mock-upstream/index.ts'

/** Longer than settle time and typing take together. */
const MOMENT_MS = 1_500

/** No further turn comes. Seen as a short moment in which nothing happens: there is nothing to wait on. */
export async function nothingMore(mock: MockUpstream): Promise<void> {
  const turns = mock.turns().length
  await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
  expect(mock.turns()).toHaveLength(turns)
}
