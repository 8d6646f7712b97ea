// A home in which this version has been started before, as a user's is each day but the one of an update: its engine
// finds there what V8 made of the program's code. And the one start in which it doesn't.
import { rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Has `measure` look at both starts, `times` each, in turn.
 * @returns what it found in the first start of a version, and in the one after it
 */
export async function bothStarts(home, times, measure) {
  const first = []
  const later = []
  for (let i = 0; i < times; i++) {
    rmSync(join(home, 'compiled-code'), { recursive: true, force: true })
    first.push(await measure(home))
    later.push(await measure(home))
  }
  return { first, later }
}
