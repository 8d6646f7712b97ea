import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { newHome, removeHomes, startEngine } from './support/engine-process.ts'

afterAll(removeHomes)

/** What is kept of the program's files, each with the number that a file written anew has another of. */
function keptIn(home: string): Map<string, number> {
  const root = join(home, 'compiled-code')
  if (!existsSync(root)) return new Map()
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).ino]))
}

const nodeKeeps = Number.parseInt(process.versions.node, 10) >= 22 ? 'Node 22 and later keep it by themselves' : null

describe('compiled code that is kept', unless(nodeKeeps), () => {
  it('is what the next start runs: V8 takes it, so nothing of it is written again', async () => {
    const home = newHome()
    const first = await startEngine({ home })
    await waitFor('compiled code', () => keptIn(home).size > 10)
    await first.stop()
    const kept = keptIn(home)
    const [gone = ''] = kept.keys()
    rmSync(gone)
    const second = await startEngine({ home })
    // what has to be kept anew is written with whatever else didn't fit
    await waitFor('what is kept anew', () => keptIn(home).has(gone))
    await second.stop()
    const again = [...keptIn(home)].filter(([file, number]) => kept.get(file) !== number).map(([file]) => file)
    expect(again).toEqual([gone])
  })
})
