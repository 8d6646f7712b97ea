// How the engine starts in a home where it has worked for long. Medians of fresh processes: what is measured is code
// that is not warm, and that happens once in a process's life.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { fillHome } from './many-sessions.mjs'
import { bundle, median } from './parts.mjs'
import { bothStarts } from './started-before.mjs'

const TIMES = 5

/**
 * On both CPUs: the disk is read by threads of the same process, which would otherwise be taken for blocks of its loop.
 */
const longestBlock = (part, env) => async (home) => {
  const args = [join(import.meta.dirname, 'start-block.mjs'), part.path('engine'), home]
  const child = await start(args, '0,1', env)
  await child.ended
  return child.longestMs
}

const listening = (program, env) => async (home) => {
  const child = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1', env)
  await child.stop()
  return child.startMs
}

async function times(measure, home) {
  const all = []
  for (let i = 0; i < TIMES; i++) all.push(await measure(home))
  return all
}

const figure = (title, range, limits) => ({ title, unit: 'ms', value: median(range), range, limits })

export async function startFigures(program) {
  const home = temporaryFolder()
  const env = fillHome(home)
  const part = await bundle({ engine: 'e2e/bench/engine-part.ts' }, 'cjs')
  const blocks = await times(longestBlock(part, env), home)
  const alone = await times(longestBlock(part, {}), temporaryFolder())
  part.dispose()
  const starts = await bothStarts(home, TIMES, listening(program, env))
  return [
    figure('longest block: start with 10 000 session files', blocks, [6, 4]),
    figure('the same in an empty home: code that runs for the first time, and the machine', alone),
    figure('start to listening with 10 000 session files', starts.later, [300, 200]),
    figure('the first start of a version, to listening, with 10 000 session files', starts.first),
  ]
}
