import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createTimeline } from '../../records/timeline.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { sampleSession } from '../testing/fake-control-api.ts'
import { reportApi } from './report-api.ts'

const HOUR = 3_600_000
const ended: EventBody = {
  type: 'turn-ended',
  turn: 1,
  kind: 'turn',
  finish: 'stop',
  status: 200,
  usage: null,
  ttfbMs: 1,
  durationMs: 0,
  route: null,
  tools: [],
  clientLeft: false,
}

async function world() {
  const clock = virtualClock()
  let n = 0
  const random = { uuid: () => `id${++n}`, token: () => 'token', fraction: () => 0 }
  const timeline = await createTimeline({ clock, random, files: memoryFiles(), log: silentLog, root: '/r' })
  const looked: string[] = []
  const view = (id: string, cwd: string | null) =>
    sampleSession({ id, name: id, cwd, startedAt: 0, shape: 'idle', say: { code: 'idle' } })
  const api = reportApi({
    clock,
    loaded: Promise.resolve(),
    timeline,
    viewing: { sessions: () => [view('a', '/w'), view('b', '/w'), view('c', '/quiet'), view('d', null)] },
    async diffOf(folder) {
      looked.push(folder)
      return { files: 1, added: 2, removed: 3 }
    },
  })
  const turn = (sessionId: string) => timeline.record({ sessionId }, ended)
  return { clock, timeline, api, looked, turn }
}

describe('the call for a report', () => {
  it('begins at 18:00 of the day before, where no time is given', async () => {
    const { clock, api, turn } = await world()
    turn('a')
    await clock.advance(60 * HOUR)
    const { since, from, until } = await api.report(null)
    const evening = new Date(until)
    evening.setDate(evening.getDate() - 1)
    evening.setHours(18, 0, 0, 0)
    expect([since, from]).toEqual([evening.getTime(), evening.getTime()])
  })

  it('counts from where the records begin, over as many of them as there are', async () => {
    const { clock, timeline, api, turn } = await world()
    const began = clock.now()
    for (let i = 0; i < 450; i++) {
      turn('a')
      await clock.advance(1_000)
    }
    const report = await api.report(began - HOUR)
    expect(report).toMatchObject({ since: began - HOUR, from: began, total: { turns: 450 } })
    expect(report.sessions[0]?.turns).toBe(450)
    // Events before the period show how a session stood then, and count for nothing else.
    timeline.record({ sessionId: 'a' }, { type: 'needs-you', what: 'question' })
    await clock.advance(HOUR)
    turn('b')
    const later = await api.report(clock.now() - HOUR / 2)
    expect(later.sessions.find(({ id }) => id === 'a')).toMatchObject({ turns: 0, sums: { person: HOUR / 2 } })
  })

  it('looks once at each folder of the sessions it tells of', async () => {
    const { clock, api, looked, turn } = await world()
    for (const id of ['a', 'b', 'd']) turn(id)
    await clock.advance(HOUR)
    const report = await api.report(clock.now() - HOUR)
    expect(looked).toEqual(['/w'])
    const diff = { files: 1, added: 2, removed: 3 }
    expect(report.sessions.map((one) => [one.id, one.diff])).toEqual([
      ['a', diff],
      ['b', diff],
      ['d', null],
    ])
    expect(report.total.diff).toEqual(diff)
  })

  it('has nothing to tell where nothing is kept', async () => {
    const { api } = await world()
    expect(await api.report(0)).toMatchObject({ sessions: [], outages: [], limits: [], total: { turns: 0 } })
  })
})
