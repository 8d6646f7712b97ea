import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JOURNAL } from './journal.ts'
import { bundleChild, startChild } from './testing/child.ts'
import { tempFolders } from './testing/temp-folder.ts'

const temp = tempFolders()

it('kill -9 while lines are written to the journal loses nothing that was acknowledged', async () => {
  const file = await bundleChild(join(import.meta.dirname, 'testing/writer-child.ts'), temp())
  const root = join(temp(), 'root')
  let acknowledged = [0, 0]
  for (const writes of [1, 2, 5, 40, 130]) {
    const child = startChild(file, [root, 'journal'])
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
    }
    expect(child.lines.filter((line) => line.startsWith('problem'))).toEqual([])
  }
  expect(readdirSync(root)).toContain(JOURNAL)
})
