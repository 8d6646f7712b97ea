import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog, type Log } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { diskFiles } from '../store/disk-files.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import type { Files, Store } from '../store/types.ts'
import { calledTool } from './testing/tools.ts'
import { createToolLists, type FrozenTool } from './tool-lists.ts'
import type { CalledTool } from './types.ts'

const made: string[] = []
const folder = () => made[made.push(mkdtempSync(join(tmpdir(), 'onward-lists-'))) - 1] ?? ''
const stores: Store[] = []
// A list is written in the background, even if a test only looks it up: a write may be under way here.
afterEach(async () => {
  // One of the tests is about a list that could not be written.
  await Promise.allSettled(stores.splice(0).map((store) => store.flush()))
  for (const one of made.splice(0)) rmSync(one, { recursive: true, force: true })
})
const never: CalledTool['run'] = async () => ({ kind: 'result', text: '' })
const [a, b] = [calledTool('a', never), calledTool('b', never, { declared: 'every-turn' })]
const clock = virtualClock()

function open(root: string, files: Files = diskFiles(), log: Log = silentLog) {
  const store = createStore({ root, files, clock, log: silentLog, onProblem: () => undefined })
  stores.push(store)
  return { store, lists: createToolLists({ store, log }) }
}

/** A list as another run of Onward finds it. */
async function reopened(root: string, name: string): Promise<string> {
  const { lists } = open(root)
  await lists.load()
  return written(lists.get(name))
}
const written = (list: readonly FrozenTool[] | null): string =>
  JSON.stringify(list?.map(({ declared, declaration }) => [declared, declaration]))

describe('lists of tools', () => {
  it('have one name for the same tools in the same order', () => {
    const { lists } = open('/r', memoryFiles())
    expect(lists.keep([a, b])).toBe(lists.keep([a, b]))
    expect(new Set([lists.keep([a, b]), lists.keep([b, a]), lists.keep([a]), lists.keep([])]).size).toBe(4)
    const changed = { ...a, declaration: () => ({ ...a.declaration(), description: 'Other.' }) }
    expect(lists.keep([changed])).not.toBe(lists.keep([a]))
  })

  it('are the same bytes after a restart, also when their tools are others by then', async () => {
    const root = folder()
    const first = open(root)
    await first.lists.load()
    const name = first.lists.keep([a, b])
    const before = written(first.lists.get(name))
    await expect.poll(() => reopened(root, name)).toBe(before)
    expect(first.lists.get('unknown')).toBeNull()
  })

  it('that were kept before they were read are not lost by it', async () => {
    const root = folder()
    const { lists } = open(root)
    const name = lists.keep([a])
    await lists.load()
    expect(lists.get(name)).toHaveLength(1)
    await expect.poll(() => reopened(root, name)).toBe(written(lists.get(name)))
  })

  it('that can’t be written are told of, and known until the end', async () => {
    const files = faultyFiles(memoryFiles())
    const errors: string[] = []
    const { lists } = open('/r', files, {
      ...silentLog,
      error: (_, message) => {
        errors.push(message)
      },
    })
    await lists.load()
    files.fail('ENOSPC', 'writeAtomic')
    const name = lists.keep([a])
    await expect.poll(() => errors.length).toBe(1)
    expect(lists.get(name)).toHaveLength(1)
  })

  it('of a newer version are moved aside, and stop nothing', async () => {
    const root = folder()
    const newer = '{"version":2,"state":{"lists":{}}}'
    writeFileSync(join(root, 'tool-lists.json'), newer)
    const { store, lists } = open(root)
    await lists.load()
    const name = lists.keep([a])
    await store.flush()
    expect(await reopened(root, name)).toBe(written(lists.get(name)))
    const aside = readdirSync(root).filter((file) => file.startsWith('tool-lists.json.newer-'))
    expect(aside.map((file) => readFileSync(join(root, file), 'utf8'))).toEqual([newer])
  })
})
