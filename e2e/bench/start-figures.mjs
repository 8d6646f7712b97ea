// How the engine starts in a home where it has worked for long. Medians of fresh processes: what is measured is code
// that is not warm, and that happens once in a process's life.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { fillHome } from './many-sessions.mjs'
import { bundle, median } from './parts.mjs'

const TIMES = 5

/**
 * On both CPUs: the disk is read by threads of the same process, which would otherwise be taken for blocks of its loop.
 */
async function longestBlock(part, home, env) {
  const seen = []
  for (let i = 0; i < TIMES; i++) {
    const child = await start([join(import.meta.dirname, 'start-block.mjs'), part.path('engine'), home], '0,1', env)
    seen.push(child.longestMs)
    await child.ended
  }
  return seen
}

async function listening(program, home, env) {
  const seen = []
  for (let i = 0; i < TIMES; i++) {
    const child = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1', env)
    seen.push(child.startMs)
    await child.stop()
  }
  return seen
}

export async function startFigures(program) {
  const home = temporaryFolder()
  const env = fillHome(home)
  const part = await bundle({ engine: 'e2e/bench/engine-part.ts' })
  const blocks = await longestBlock(part, home, env)
  const alone = await longestBlock(part, temporaryFolder(), {})
  part.dispose()
  const starts = await listening(program, home, env)
  return [
    {
      title: 'longest block: start with 10 000 session files',
      unit: 'ms',
      value: median(blocks),
      range: blocks,
      limits: [6, 4],
    },
    {
      title: 'the same in an empty home: code that runs for the first time, and the machine',
      unit: 'ms',
      value: median(alone),
      range: alone,
    },
    {
      title: 'start to listening with 10 000 session files',
      unit: 'ms',
      value: median(starts),
      range: starts,
      limits: [300, 200],
    },
  ]
}
