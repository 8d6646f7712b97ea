import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleChild, startChild } from '../store/testing/child.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { everything } from '../../../shared/testing/runs.ts'

const temp = tempFolders()
/** lines a child has written when it is killed */
const killedBehind = everything ? [1, 2, 3, 7, 12, 20, 33, 45, 60, 28, 5] : [1, 3, 12, 60, 130, 220]

describe('kill -9 while alarms are set, moved and cancelled', () => {
  it('loses none that was answered, and leaves every file whole', { timeout: 120_000 }, async () => {
    const file = await bundleChild(join(import.meta.dirname, 'testing/setter-child.ts'), temp())
    const root = join(temp(), 'root')
    /** what was answered: the due time, null: cancelled; undefined: an order on it was not answered */
    const answered = new Map<string, string | null | undefined>()
    let writes = 0
    // A busy machine gets less done before it is killed: as many rounds as it takes, and a last one that only looks.
    for (let i = 0, over = false; !over; i++) {
      over = writes > 200 && i >= killedBehind.length
      const round = over ? 0 : (killedBehind[i % killedBehind.length] ?? 0)
      const child = startChild(file, [root])
      await child.line((line) => line === 'ready')
      const ready = child.lines.indexOf('ready')
      const found = new Map(
        child.lines.slice(0, ready).flatMap((line) => {
          const [word, id = '', due = ''] = line.split(' ')
          return word === 'has' ? [[id, due] as const] : []
        }),
      )
      expect(child.lines.filter((line) => line.startsWith('problem'))).toEqual([])
      for (const [id, due] of answered) if (due !== undefined) expect([id, found.get(id) ?? null]).toEqual([id, due])
      if (round > 0) await child.line((_, index) => index >= ready + round)
      await child.kill()
      answered.clear()
      for (const [id, due] of found) answered.set(id, due)
      for (const line of child.lines.slice(ready + 1)) {
        const [word, id = '', due = ''] = line.split(' ')
        if (word === 'set' || word === 'cancelled') writes += 1
        answered.set(id, word === 'set' ? due : word === 'cancelled' ? null : undefined)
      }
    }
    expect(writes).toBeGreaterThan(200)
    expect(
      readdirSync(join(root, 'clock')).filter(
        (name) => !/^s\d-\d\.json$|^history\.jsonl$/.test(name) && !name.startsWith('.onward-'),
      ),
    ).toEqual([])
  })
})
