// What it costs where a thousand goals stop at once. A fresh process each round.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { fillProject } from './many-goals.mjs'
import { bundle, median } from './parts.mjs'

const ROUNDS = 3
const SCOPES = 1_000

const figures = [
  [`${SCOPES} stop at once, reviewed after 1 s: until all followups are queued, on the disk`, 'ms', 'stopsMs'],
  [`${SCOPES} stop at once, reviewed after 1 s`, 'ms of CPU', 'stopsCpu'],
  [`${SCOPES} stop at once, reviewed after 1 s: each`, 'ms of CPU', 'stopCpu', [6, 3]],
  ['1 000 stop at once: writes each', 'writes', 'stopWrites', [2, 1]],
  ['1 000 stop at once: synced writes of lines, shared by all who wait, each', 'writes', 'stopLines'],
  ['1 000 stop at once: written each', 'KB', 'stopKb'],
  ['1 000 goals that have stopped: their files brought up to date, each', 'ms of CPU', 'foldCpu'],
  [`${SCOPES} stop at once, reviewed after 1 s: longest block`, 'ms', 'stopsBlock', [25, 10]],
  [`${SCOPES} stop at once, reviewed after 1 s: most of the heap meanwhile`, 'MB', 'stopsPeakMb'],
  [`${SCOPES} stop at once, reviewed after 1 s: kept afterwards`, 'MB', 'stopsKeptMb', [20, 5]],
]

async function round(part, project) {
  const root = temporaryFolder()
  const child = await start(
    ['--expose-gc', join(import.meta.dirname, 'goal-load.mjs'), part.path('goal'), root, project, String(SCOPES)],
    '0,1',
  )
  await child.ended
  return child
}

export async function goalFigures() {
  const part = await bundle({ goal: 'e2e/bench/goal-part.ts' })
  const project = temporaryFolder()
  fillProject(project, 1_000)
  const rounds = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(part, project))
  part.dispose()
  return figures.map(([title, unit, of, limits]) => {
    const range = rounds.map((one) => one[of])
    return { title, unit, value: median(range), range, limits }
  })
}
