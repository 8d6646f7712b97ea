// Child processes of the bench. None outlives it, however it ends: they are killed when it exits, and everything that
// would end it without an exit (a signal, an error nobody caught) is turned into one. Temporary folders go the same
// way.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

/** proxies run on CPU 1, the rest on CPU 0 */
export const pinned =
  process.platform === 'linux' && cpus().length > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0
const children = new Set()
const folders = new Set()
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/** To be called once, before anything is started. */
export function endTogether() {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  for (const [signal, number] of Object.entries(signals)) process.on(signal, () => process.exit(128 + number))
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      process.stderr.write(`${error?.stack ?? error}\n`)
      process.exit(1)
    })
  }
  if (pinned) spawnSync('taskset', ['-acp', '0', String(process.pid)])
}

/** What `run` starts may use every CPU. */
export async function unpinned(run) {
  const pinTo = (cpus) => pinned && spawnSync('taskset', ['-acp', cpus, String(process.pid)])
  pinTo(`0-${cpus().length - 1}`)
  try {
    return await run()
  } finally {
    pinTo('0')
  }
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onward-bench-'))
  folders.add(folder)
  return folder
}

/**
 * Starts Node with `args` and resolves with the JSON line it prints when ready, its pid, how long that took, and
 * `stop`. A child that ends by itself afterwards ends the bench: what it would measure then means nothing.
 */
export function start(args, cpu, env = {}) {
  const argv = pinned ? ['taskset', '-c', String(cpu), process.execPath, ...args] : [process.execPath, ...args]
  const startedAt = performance.now()
  const child = spawn(argv[0], argv.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ROUTECODEX_CLOCK_NTP: 'off', ...env },
  })
  children.add(child)
  const ended = new Promise((done) =>
    child.once('exit', (code, signal) => {
      children.delete(child)
      done(code ?? signal)
    }),
  )
  let wanted = false
  const lines = []
  let next = null
  const line = () =>
    lines.length > 0
      ? Promise.resolve(lines.shift())
      : new Promise((done) => {
          next = done
        })
  const stop = async (signal = 'SIGTERM') => {
    wanted = true
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(late)
  }
  return new Promise((ok, bad) => {
    let text = ''
    let ready = false
    child.stdout.on('data', (data) => {
      const whole = (text + data).split('\n')
      text = whole.pop()
      for (const one of whole.filter((l) => l.startsWith('{'))) {
        const json = JSON.parse(one)
        if (!ready)
          ok({
            ...json,
            pid: child.pid,
            startMs: performance.now() - startedAt,
            stop,
            ended,
            line,
            signal: (name) => child.kill(name),
          })
        else if (next) {
          next(json)
          next = null
        } else lines.push(json)
        ready = true
      }
    })
    child.once('error', bad)
    ended.then((how) => {
      const error = new Error(`${args.join(' ')} ended with ${how}`)
      if (!ready) bad(error)
      else if (!wanted && how !== 0) throw error
    })
  })
}
