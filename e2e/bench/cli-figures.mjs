// How long a command takes that says little: fresh processes, one after the other, beside a Node that does nothing.
// In the home of an engine that runs, which `onward status` asks, and in one without, where it says so.
import { spawnSync } from 'node:child_process'
import { start, temporaryFolder } from './children.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'

const TIMES = 11

function took(args) {
  const from = performance.now()
  spawnSync(process.execPath, args, { stdio: 'ignore' })
  return performance.now() - from
}

export async function cliFigures(program, upstream) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port)
  const engine = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
  const kinds = {
    'onward status, an engine runs': [program, 'status', '--home', home],
    'onward status, none runs': [program, 'status', '--home', temporaryFolder()],
    'onward completion bash': [program, 'completion', 'bash'],
    'node alone': ['-e', '0'],
  }
  const seen = Object.fromEntries(Object.keys(kinds).map((title) => [title, []]))
  for (let i = 0; i < TIMES; i++) for (const [title, args] of Object.entries(kinds)) seen[title].push(took(args))
  await engine.stop()
  const alone = seen['node alone']
  return Object.entries(seen).flatMap(([title, range]) => [
    {
      title: `cold: ${title}`,
      unit: 'ms',
      value: median(range),
      range,
      ...(range === alone ? {} : { limits: [150, 80] }),
    },
    ...(range === alone ? [] : [ratioRow(title, range, alone)]),
  ])
}

function ratioRow(title, range, alone) {
  const ratios = range.map((ms, i) => ms / alone[i])
  return { title: `cold: ${title}`, unit: '÷ node alone', value: median(ratios), range: ratios }
}
