import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { createRegistry } from './registry.ts'
import { allOn } from './switches.ts'
import { automaticTool, calledTool, switchesOf, turnView } from './testing/tools.ts'

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
