import { describe, expect, it } from 'vitest'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const budgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: 2.5 }
const { against } = cliHomes({ status: async () => sampleStatus({ budgets }) })

/** An engine that keeps the changes it was asked for, and its answers. */
function engine() {
  const asked: unknown[] = []
  return {
    asked,
    api: {
      setBudgets: async (input: unknown) => {
        asked.push(input)
        return { ...budgets, rounds: 40 }
      },
    },
  }
}
const shown = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s{2,}/))

describe('budgets', () => {
  it('are shown, and nothing is changed', async () => {
    const { api, asked } = engine()
    const { code, out } = await against(api, ['budgets'])
    expect({ code, asked }).toEqual({ code: 0, asked: [] })
    expect(shown(out)).toEqual([
      ['Rounds', '100 rounds'],
      ['Time', '8 h'],
      ['No progress', '5 rounds without progress'],
      ['Tokens', 'never'],
      ['Cost', '$2.50'],
    ])
    expect(JSON.parse((await against(api, ['budgets', '--json'])).out)).toEqual(budgets)
  })
  it.each<[string[], object]>([
    [['--rounds', '40'], { rounds: 40 }],
    [['--rounds', 'never'], { rounds: null }],
    [['--hours', '1.5'], { hours: 1.5 }],
    [['--no-progress', '3'], { noProgressRounds: 3 }],
    [['--no-progress', 'never'], { noProgressRounds: null }],
    [['--tokens', '2000000', '--cost', '0.5'], { tokens: 2_000_000, costUsd: 0.5 }],
    [['--tokens', 'never', '--cost', 'never', '--hours', 'NEVER'], { tokens: null, costUsd: null, hours: null }],
  ])('%j', async (words, input) => {
    const { api, asked } = engine()
    const { code, out } = await against(api, ['budgets', ...words])
    expect({ code, asked }).toEqual({ code: 0, asked: [input] })
    expect(shown(out)[0]).toEqual(['Rounds', '40 rounds'])
    expect(JSON.parse((await against(api, ['budgets', ...words, '--json'])).out)).toMatchObject({ rounds: 40 })
  })
  it.each([
    ['--rounds', '0'],
    ['--rounds', '1.5'],
    ['--rounds', ''],
    ['--hours', '0'],
    ['--hours', '-1'],
    ['--hours', 'Infinity'],
    ['--no-progress', 'x'],
    ['--tokens', '2M'],
    ['--cost', '0.0'],
    ['--cost', '1e3'],
  ])('%s %j is not understood', async (...words) => {
    const { api, asked } = engine()
    const { code, err } = await against(api, ['budgets', ...words])
    expect({ code, asked }).toEqual({ code: 2, asked: [] })
    expect(err).toContain(`${words[0]} takes a`)
  })
  it('end as the engine refuses', async () => {
    const no = {
      setBudgets: async () => {
        throw new OnwardError('config-changed', 'The config was edited meanwhile.')
      },
    }
    expect(await against(no, ['budgets', '--rounds', '3'])).toMatchObject({
      code: 4,
      err: 'onward: The config was edited meanwhile.\n',
    })
  })
  it('of an engine that has none says so', async () => {
    expect(await against({ status: async () => sampleStatus() }, ['budgets'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Start it again'),
    })
  })
})
