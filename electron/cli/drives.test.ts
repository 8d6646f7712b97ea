import { describe, expect, it } from 'vitest'
import type { OwnDrive } from '../../shared/drives.ts'
import { sampleSession, sceneTime } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

const facts = { since: sceneTime, seen: sceneTime, version: '2.1.332', turns: 0, tokens: 0, costUsd: null }
const schedule: OwnDrive = {
  ...facts,
  id: 'c28d41ae',
  kind: 'schedule',
  what: 'check the deploy',
  source: 'CronCreate',
  cron: '*/5 * * * *',
  once: false,
  prompt: 'check the deploy',
  next: sceneTime + 180_000,
  latest: sceneTime + 330_000,
  tokens: 96_000,
  costUsd: 0.18,
  state: { is: 'on' },
}
const shell: OwnDrive = {
  ...facts,
  id: 'b7',
  kind: 'command',
  what: 'npm run dev',
  source: 'Bash',
  state: { is: 'over', at: sceneTime, how: 'ended' },
}
const sessions = async () => [sampleSession({ drives: [schedule, shell] }), sampleSession({ id: 's2', name: 'quiet' })]

describe('drives', () => {
  it('lists what goes on, with --all what is over', async () => {
    const { out } = await against({ sessions }, ['drives'])
    expect(out).toMatch(
      /billing-service\nc28d41ae +Schedule +check the deploy +comes by \*\/5 \* \* \* \* .*96\.0k \$0\.18\n/,
    )
    expect(out).not.toContain('npm run dev')
    expect((await against({ sessions }, ['drives', '--all'])).out).toMatch(/b7 +Shell +npm run dev +ended/)
    expect((await against({ sessions }, ['status'])).out).toContain('Go on by   billing-service: Schedule')
  })

  it('says so where nothing is seen, and gives all of it as JSON', async () => {
    expect((await against({ sessions: async () => [] }, ['drives'])).out).toContain('Nothing besides Onward')
    const { out } = await against({ sessions }, ['drives', '--json'])
    expect(JSON.parse(out)).toMatchObject([
      { session: 'ses_0001', name: 'billing-service', id: 'c28d41ae', state: { is: 'on' } },
      { id: 'b7', state: { is: 'over' } },
    ])
  })

  it('stops one, or all, and lets them go on', async () => {
    const asked: unknown[] = []
    const note = async (input: unknown) => {
      asked.push(input)
      return sampleSession()
    }
    const api = { stopDrive: note, letDrives: note, sessions }
    expect((await against(api, ['drives', 'stop', 'billing', 'c28d41ae'])).out).toContain('is told to stop it')
    await against(api, ['drives', 'stop', 'billing'])
    await against(api, ['drives', 'let', 'billing'])
    await against(api, ['drives', 'let', 'billing', 'c28d41ae'])
    expect(asked).toEqual(['c28d41ae', null, null, 'c28d41ae'].map((drive) => ({ session: 'billing', drive })))
  })

  it('gives one of them a bound, and says how it stands', async () => {
    const asked: unknown[] = []
    const from = { since: sceneTime, turns: 0, tokens: 0, costUsd: null }
    const bound = { rounds: 5, hours: null, tokens: null, costUsd: 2, from, asked: null }
    const boundDrive = async (input: unknown) => {
      asked.push(input)
      return sampleSession({ drives: [{ ...schedule, bound }] })
    }
    const words = ['drives', 'bound', 'billing', 'c28d41ae', '--rounds', '5', '--cost', '2', '--hours', 'never']
    expect((await against({ boundDrive }, words)).out).toBe('It asks you after 5 rounds or $2.00.\n')
    expect(asked).toEqual([{ session: 'billing', drive: 'c28d41ae', rounds: 5, hours: null, costUsd: 2 }])
    expect((await against({ boundDrive: async () => sampleSession({ drives: [schedule] }) }, words)).out).toContain(
      'no bound of its own',
    )
  })
})
