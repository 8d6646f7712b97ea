import { describe, expect, it } from 'vitest'
import type { Input } from '../../shared/operations/index.ts'
import type { EngineStatus, ServertoolView } from '../../shared/state.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

const tool = (name: string, more: Partial<ServertoolView> = {}): ServertoolView => ({
  name,
  about: `What ${name} does.`,
  trigger: 'tool_call',
  on: true,
  by: 'default',
  problem: null,
  ...more,
})
const servertools: NonNullable<EngineStatus['servertools']> = {
  on: true,
  by: 'default',
  tools: [
    tool('clock', { by: 'env' }),
    tool('web_fetch', { on: false }),
    tool('web_search', { by: 'config', problem: 'No search engine is configured.' }),
    tool('vision_auto', { trigger: 'auto', problem: 'No model is in the route “vision”.' }),
  ],
}
const told = (more: Partial<typeof servertools> = {}) => ({
  status: async () => sampleStatus({ servertools: { ...servertools, ...more } }),
})

describe('tools', () => {
  it('lists each with whether it is on, whose word that is, and what it lacks', async () => {
    const { code, out } = await against(told(), ['tools'])
    expect(code).toBe(0)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/\s{2,}/)),
    ).toEqual([
      ['✓ clock', 'on', 'by ROUTECODEX_SERVER_TOOLS', 'What clock does.'],
      ['○ web_fetch', 'off', 'by default', 'What web_fetch does.'],
      ['◆ web_search', 'on', 'by the config', 'No search engine is configured.'],
      ['○ vision_auto', 'on', 'by default', 'No model is in the route “vision”.'],
    ])
  })
  it.each([
    ['config', '⏸ All of them are off by the config. Switch them on: onward tools on\n'],
    ['env', '⏸ All of them are off by ROUTECODEX_SERVER_TOOLS.\n'],
  ] as const)('says that all are off, %s', async (by, line) => {
    const { out } = await against(told({ on: false, by }), ['tools'])
    expect(out.startsWith(line)).toBe(true)
    expect(out).not.toMatch(/[✓◆]/)
  })
  it('is one JSON document for programs', async () => {
    expect(JSON.parse((await against(told(), ['tools', '--json'])).out)).toEqual(servertools)
  })
  it('says of an engine that has none what to do', async () => {
    expect(await against({}, ['tools'])).toMatchObject({ code: 1, err: expect.stringContaining('Start it again') })
  })
})

describe('tools switched', () => {
  it.each([
    [['on', 'web_fetch'], { tool: 'web_fetch', on: true }],
    [['off', 'clock'], { tool: 'clock', on: false }],
    [['default', 'web_fetch'], { tool: 'web_fetch', on: null }],
    [['on'], { tool: null, on: true }],
    [['off'], { tool: null, on: false }],
    [['default'], { tool: null, on: null }],
  ])('%j', async (words, asked) => {
    const calls: unknown[] = []
    const api = {
      setServertool: async (input: Input<'setServertool'>) => {
        calls.push(input)
        return servertools
      },
    }
    const { code, out } = await against(api, ['tools', ...words])
    expect(code).toBe(0)
    expect(calls).toEqual([asked])
    expect(out).toMatch(/^✓ clock/)
    expect(JSON.parse((await against(api, ['tools', ...words, '--json'])).out)).toEqual(servertools)
  })
  it.each([
    ['servertool-unknown', 5],
    ['servertool-env', 4],
  ])('ends as the engine refuses: %s', async (code, exit) => {
    const refusing = {
      setServertool: async () => {
        throw new OnwardError(code, 'It can’t be.')
      },
    }
    expect(await against(refusing, ['tools', 'on', 'x'])).toMatchObject({ code: exit, err: 'onward: It can’t be.\n' })
  })
  it('takes no other word', async () => {
    expect((await against({}, ['tools', 'maybe', 'clock'])).code).toBe(2)
  })
})
