import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempPrefix } from './disk-files.ts'
import { bundleChild, startChild } from './testing/child.ts'
import { tempFolders } from './testing/temp-folder.ts'
import { everything } from '../../../shared/testing/runs.ts'

const temp = tempFolders()

describe('kill -9 while documents are written', () => {
  it('loses nothing that was acknowledged, and leaves no rubbish behind', async () => {
    const file = await bundleChild(join(import.meta.dirname, 'testing/writer-child.ts'), temp())
    const root = join(temp(), 'root')
    let acknowledged = [0, 0]
    let total = 0
    // each round starts where the killed one ended, and is killed after another number of writes
    for (const writes of everything ? [1, 2, 3, 5, 9, 14, 23, 31, 47, 60, 17, 4] : [1, 3, 9, 31, 60, 110]) {
      const child = startChild(file, [root])
      const ready = await child.line((line) => line.startsWith('ready'))
      const found = ready.split(' ').slice(1).map(Number)
      // the disk may have one more than was printed: the kill came between the two
      for (const [i, said] of acknowledged.entries()) expect([said, said + 1]).toContain(found[i])
      await child.line((_, index) => index >= writes)
      await child.kill()
      acknowledged = found
      for (const line of child.lines.slice(1)) {
        const [which, n] = line.split(' ').map(Number)
        acknowledged[which ?? -1] = n ?? -1
        total += 1
      }
      expect(child.lines.filter((line) => line.startsWith('problem'))).toEqual([])
    }
    expect(total).toBeGreaterThan(200)

    const last = startChild(file, [root])
    await last.line((line) => line.startsWith('ready'))
    // the swept folder holds no temporary file of the dead (its own may come and go)
    const dead = [...readdirSync(root), ...readdirSync(join(root, 'outbox'))].filter(
      (name) => name.startsWith(tempPrefix) && !name.startsWith(`${tempPrefix}${last.process.pid}-`),
    )
    await last.kill()
    expect(dead).toEqual([])
  })
})
