import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tokens } from '../testing/day-network.ts'
import { oftenMs } from '../testing/day-turns.ts'
import { virtualDay, type DayFacts, type HourFacts } from '../testing/virtual-day.ts'

const hours = 2
let home: string
let day: DayFacts
const each: HourFacts[] = []
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'onward-day-'))
  day = await virtualDay({ home, sessions: 20, turnsEach: 3, from: 8, hours, hourly: (facts) => each.push(facts) })
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

it('sums what was sent, and nothing twice', () => {
  expect(day.upstream).toBe(day.turns)
  expect(day.summed).toEqual({
    requests: day.turns,
    input: day.turns * tokens.input,
    output: day.turns * tokens.output,
  })
})

it('rings each alarm as often as it is due', () => {
  const expected = [
    ...day.often.map((session) => [session, (hours * 3_600_000) / oftenMs]),
    ...day.daily.map((session) => [session, 1]),
  ]
  expect([...day.rang].toSorted()).toEqual(expected.toSorted())
})

it('keeps no more timers and files than its sessions need', () => {
  expect(day.problems).toEqual([])
  expect(day.sessionsKnown).toBe(20)
  for (const { timers, files, sessions } of each) {
    expect(sessions).toBe(20)
    expect(files).toBeLessThan(20 * 3)
    expect(timers).toBeLessThan(20)
  }
})
