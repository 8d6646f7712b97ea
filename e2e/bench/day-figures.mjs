// A day of 1 000 agents on a virtual clock: they think between turns and are idle at night, some are woken by alarms.
// What the engine keeps must not grow once the turns have ended, alarms ring as often as they are due, and the day's
// sums are what was sent.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { bundle } from './parts.mjs'

const SESSIONS = 1_000
const TURNS_EACH = 8
const OFTEN = (24 * 60) / 10

export async function dayFigures() {
  const part = await bundle({ day: 'electron/testing/virtual-day.ts' })
  const day = await start(
    [
      '--expose-gc',
      join(import.meta.dirname, 'day-load.mjs'),
      part.path('day'),
      temporaryFolder(),
      String(SESSIONS),
      String(TURNS_EACH),
    ],
    '0,1',
  )
  await day.ended
  part.dispose()
  const { hours } = day
  const last = hours.at(-1)
  const row = (title, unit, value, more = {}) => ({
    title: `a virtual day of 1 000 sessions: ${title}`,
    unit,
    value,
    ...more,
  })
  const none = { limits: [0, 0] }
  const over = (of) => ({ range: hours.map((hour) => hour[of]) })
  return [
    row('turns', 'of them', day.turns),
    row(
      'turns lost or counted twice, upstream and in the sums',
      'of them',
      Math.abs(day.turns - day.upstream) + Math.abs(day.turns - day.summed.requests),
      none,
    ),
    row(
      'alarms of every ten minutes that did not ring 144 times',
      'of them',
      day.often.filter((n) => n !== OFTEN).length,
      none,
    ),
    row('daily alarms that did not ring once', 'of them', day.daily.filter((n) => n !== 1).length, none),
    row('problems', 'of them', day.problems, none),
    row('sessions kept', 'of them', last.sessions),
    row('files at its end', 'of them', last.files, over('files')),
    row('bytes of them', 'MB', last.bytes / 1e6, { range: hours.map(({ bytes }) => bytes / 1e6) }),
    row('timers at its end', 'of them', last.timers, over('timers')),
    row('heap after GC at its end', 'MB', last.heapMb, over('heapMb')),
    row('heap: growth in its last six hours', 'MB', last.heapMb - hours.at(-7).heapMb),
    row('until it was over', 's', day.seconds),
  ]
}
