import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, afterEach } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { silentLog, type Log } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { diskFiles } from '../store/disk-files.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import type { Files, Store } from '../store/types.ts'
import { createRegistry, allOn, createToolLists, type FrozenTool } from './registry.ts'
import { automaticTool, calledTool, switchesOf, turnView } from './testing/tools.ts'
import type { CalledTool } from './types.ts'

const fetcher = calledTool('web_fetch', async () => ({ kind: 'result', text: '' }), {
  onByDefault: false,
  aliases: ['webfetch'],
})
const clock = calledTool('clock', async () => ({ kind: 'result', text: '' }))
const auto = automaticTool('empty_reply_continue', 50, async () => null)
const state = (config: ConfigInput, env: Record<string, string> = {}) => {
  const switches = switchesOf(config, env)
  const registry = createRegistry([clock, fetcher, auto], switches)
  return {
    all: allOn(switches),
    tools: Object.fromEntries(registry.views().map(({ name, on, by }) => [name, `${on ? 'on' : 'off'} by ${by}`])),
    offered: registry.offered(turnView()).map(({ name }) => name),
    automatic: registry.automatic().length,
  }
}

describe('switches of tools', () => {
  it.each<[string, ConfigInput, Record<string, string>, Partial<ReturnType<typeof state>>]>([
    [
      'as they are by themselves',
      {},
      {},
      {
        offered: ['clock'],
        automatic: 1,
        tools: { clock: 'on by default', web_fetch: 'off by default', empty_reply_continue: 'on by default' },
      },
    ],
    [
      'one switched on',
      { servertools: { tools: { web_fetch: true } } },
      {},
      {
        offered: ['clock', 'web_fetch'],
        tools: { clock: 'on by default', web_fetch: 'on by config', empty_reply_continue: 'on by default' },
      },
    ],
    ['one switched off', { servertools: { tools: { empty_reply_continue: false } } }, {}, { automatic: 0 }],
    [
      'clock by its own switch',
      { clock: { enabled: false } },
      {},
      {
        offered: [],
        tools: { clock: 'off by config', web_fetch: 'off by default', empty_reply_continue: 'on by default' },
      },
    ],
    [
      'all off',
      { servertools: { enabled: false, tools: { web_fetch: true } } },
      {},
      { all: { on: false, by: 'config' }, offered: [], automatic: 0 },
    ],
    [
      'all on by the environment',
      { servertools: { enabled: false } },
      { ROUTECODEX_SERVER_TOOLS: '1' },
      { all: { on: true, by: 'env' }, offered: ['clock', 'web_fetch'] },
    ],
    [
      '... but the one a person switched off',
      { servertools: { tools: { web_fetch: false } } },
      { ROUTECODEX_SERVER_TOOLS: '1' },
      { offered: ['clock'] },
    ],
    [
      'all off by the environment',
      { servertools: { tools: { web_fetch: true } } },
      { ROUTECODEX_SERVER_TOOLS: ' 0 ' },
      { all: { on: false, by: 'env' }, offered: [], automatic: 0 },
    ],
    [
      'a word of the environment that is none',
      {},
      { ROUTECODEX_SERVER_TOOLS: 'yes' },
      { all: { on: true, by: 'default' }, offered: ['clock'] },
    ],
  ])('%s', (_, config, env, expected) => expect(state(config, env)).toMatchObject(expected))

  it('of automatic ones count from the next request on', () => {
    let switches = switchesOf({})
    const registry = createRegistry([auto], { config: () => switches.config(), env: {} })
    const config = switches.config()
    switches = { ...switches, config: () => config }
    expect([registry.automatic().length, registry.automatic().length]).toEqual([1, 1])
    switches = switchesOf({ servertools: { tools: { empty_reply_continue: false } } })
    expect(registry.automatic()).toEqual([])
  })

  it('finds a tool by its family’s names', () => {
    const registry = createRegistry([clock, fetcher], switchesOf())
    expect([registry.called('webfetch')?.name, registry.called('web_fetch')?.name, registry.called('fetch')]).toEqual([
      'web_fetch',
      'web_fetch',
      null,
    ])
  })
  it('does not offer what has a problem, and says which', () => {
    const registry = createRegistry(
      [
        calledTool('web_search', async () => ({ kind: 'result', text: '' }), {
          problem: () => 'no engine is configured',
        }),
      ],
      switchesOf(),
    )
    expect(registry.offered(turnView())).toEqual([])
    expect(registry.views()).toMatchObject([{ name: 'web_search', on: true, problem: 'no engine is configured' }])
  })
  it('refuses two tools of one name', () => {
    expect(() => createRegistry([fetcher, calledTool('webfetch', fetcher.run)], switchesOf())).toThrow('webfetch')
  })
})

describe('tool lists', () => {
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
})
