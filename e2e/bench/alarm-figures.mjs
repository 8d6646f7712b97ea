// 100 000 alarms in 10 000 sessions: what reading them costs, keeping them, and the requests and ticks that have
// nothing to do with any of them. Each round is a fresh process on files of its own.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { fillAlarms } from './many-alarms.mjs'
import { bundle, median } from './parts.mjs'

const ROUNDS = 3
const SESSIONS = 10_000
const TOGETHER = 1_000

/** The first line ends the wait for it, so all there is to say comes in one. */
async function round(part) {
  const root = temporaryFolder()
  const dueAt = fillAlarms(root, { sessions: SESSIONS, together: TOGETHER })
  const child = await start(
    [
      '--expose-gc',
      join(import.meta.dirname, 'alarm-load.mjs'),
      part.path('alarms'),
      root,
      String(SESSIONS),
      String(dueAt),
      String(TOGETHER),
    ],
    '0,1',
  )
  await child.ended
  if (child.waiting !== SESSIONS * 10) throw new Error(`only ${child.waiting} alarms were read`)
  return child
}

const figures = [
  ['start scan', 'ms', 'loadMs', [800, 500]],
  ['start scan', 'ms of CPU', 'loadCpuMs'],
  ['longest block of the start scan', 'ms', 'loadBlockMs', [10, 5]],
  ['memory (live heap)', 'MB', 'heapMb', [30, 20]],
  ['memory (RSS)', 'MB', 'rssMb'],
  ['tick with nothing due', 'ms of CPU', 'tickMs', [5, 2]],
  ['all looked at, nothing due (wake-up, corrected clock)', 'ms of CPU', 'lookMs', [10, 5]],
  ["the dashboard's view", 'ms of CPU', 'viewMs', [10, 5]],
  ['count and next of all after a change', 'ms of CPU', 'nextMs', [5, 2]],
  ['next of one session', 'µs of CPU', 'nextOfUs', [20, 5]],
  ['a request with nothing due', 'µs of CPU', 'reserveUs', [20, 5]],
  ['one set, on the disk', 'ms, p50', 'scheduleMs'],
  ['1 000 ticks', 'heap growth, MB', 'growthMb', [2, 1]],
  [`${TOGETHER} sessions due at one instant: until all rang, each on the disk`, 'ms', 'ringMs'],
  [`${TOGETHER} sessions due at one instant`, 'ms of CPU', 'ringCpuMs'],
  [`${TOGETHER} sessions due at one instant: longest block`, 'ms', 'ringBlockMs', [10, 5]],
]

export async function alarmFigures() {
  const part = await bundle({ alarms: 'e2e/bench/alarm-part.ts' })
  const rounds = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(part))
  part.dispose()
  return figures.map(([what, unit, of, limits]) => ({
    title: `100 000 alarms: ${what}`,
    unit,
    value: median(rounds.map((one) => one[of])),
    range: rounds.map((one) => one[of]),
    limits,
  }))
}
