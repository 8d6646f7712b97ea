import { describe, expect, it } from 'vitest'
import type { OutsideView } from '../../shared/notifications.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

const place = (name: string, more: Partial<OutsideView> = {}): OutsideView => ({
  name,
  kind: 'ntfy',
  host: 'ntfy.sh',
  on: true,
  classes: null,
  texts: false,
  token: false,
  state: { kind: 'unused' },
  ...more,
})
const places = [
  place('phone'),
  place('team', {
    kind: 'slack',
    host: 'hooks.slack.com',
    state: { kind: 'failed', at: 0, why: { code: 'unreachable' } },
  }),
  place('old', { on: false }),
]
const status = async () => sampleStatus({ outside: places })

describe('notify', () => {
  it('lists the places, and how the last message to each went', async () => {
    const { code, out } = await against({ status }, ['notify'])
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/○ +phone +ntfy +ntfy\.sh/)
    expect(lines[1]).toMatch(/▲ +team +slack +hooks\.slack\.com +Not sent at/)
    expect(lines[2]).toMatch(/○ +old .* off/)
    expect(JSON.parse((await against({ status }, ['notify', '--json'])).out)).toEqual(places)
    expect((await against({}, ['notify'])).out).toContain('on this machine only')
  })

  it('sends a test to all that are on, or to one, and fails when one was not taken', async () => {
    const asked: string[] = []
    const testOutside = async (name: string) => {
      asked.push(name)
      return name === 'team'
        ? ({ ok: false, why: { code: 'answered', status: 403, said: 'no' } } as const)
        : ({ ok: true, tookMs: 212 } as const)
    }
    const all = await against({ status, testOutside }, ['notify', 'test'])
    expect(all.code).toBe(1)
    expect(all.out).toMatch(/^✓ phone took the message in .*\n▲ team .*403.*\n$/)
    const one = await against({ status, testOutside }, ['notify', 'test', 'old'])
    expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ old took/) })
    expect(asked).toEqual(['phone', 'team', 'old'])
  })

  it('says which place is not known', async () => {
    const testOutside = async (name: string) => {
      throw new OnwardError('outside-unknown', `There is no place “${name}” that notices are sent to.`, { status: 404 })
    }
    expect(await against({ status, testOutside }, ['notify', 'test', 'nas'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('“nas”'),
    })
  })

  it('says how quiet hours stand, and changes them', async () => {
    const quietHours = { on: true, from: '22:00', to: '07:30', needsYou: true, ownAlarms: false, held: 2 }
    const withQuiet = async () => sampleStatus({ quietHours })
    expect((await against({ status: withQuiet }, ['notify'])).out).toContain('Quiet hours from 22:00 to 07:30')
    expect((await against({ status: withQuiet }, ['notify', 'quiet'])).out).toBe(
      'Quiet hours from 22:00 to 07:30; sessions that need you pass; 2 notifications wait until they end.\n',
    )
    const asked: unknown[] = []
    const setQuietHours = async (input: object) => {
      asked.push(input)
      return { ...quietHours, held: 0, ...input }
    }
    const set = await against({ setQuietHours }, ['notify', 'quiet', '23:00', '6:15', '--own-alarms', 'on'])
    expect(set.out).toBe('Quiet hours from 23:00 to 6:15; sessions that need you and your own alarms pass.\n')
    expect((await against({ setQuietHours }, ['notify', 'quiet', 'off'])).out).toBe('No quiet hours.\n')
    expect(asked).toEqual([{ on: true, from: '23:00', to: '6:15', ownAlarms: true }, { on: false }])
  })

  it.each([
    [['22:00'], 'needs an end'],
    [['22:00', '26:00'], '26:00'],
    [['--needs-you', 'perhaps'], 'perhaps'],
  ])('refuses quiet hours %j', async (words, said) => {
    expect(await against({}, ['notify', 'quiet', ...words])).toMatchObject({
      code: 2,
      err: expect.stringContaining(said),
    })
  })
})
