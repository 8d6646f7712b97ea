// Two busy loops beside the tests: `node e2e/support/busy.mjs [loops] [minutes] -- command…` ends with the command,
// and by itself after so many minutes at the latest.
import { spawn } from 'node:child_process'
import { Worker } from 'node:worker_threads'

const split = process.argv.indexOf('--')
const [loops = '2', minutes = '60'] = process.argv.slice(2, split < 0 ? undefined : split)
const command = split < 0 ? [] : process.argv.slice(split + 1)

const end =
  `const until = Date.now() + ${Number(minutes) * 60_000}; ` +
  'while (Date.now() < until) for (let i = 0; i < 1e6; i++);'
const busy = Array.from({ length: Number(loops) }, () => new Worker(end, { eval: true }))

if (command.length > 0) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: 'inherit' })
  child.once('exit', (code, signal) => {
    for (const worker of busy) void worker.terminate()
    process.exitCode = code ?? (signal ? 1 : 0)
  })
}
