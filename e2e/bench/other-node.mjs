// `--node <path>`: the whole bench under another Node, so that upstream, load and every target run on the same one.
import { spawn } from 'node:child_process'

/** Ends this process as that one ends. */
export async function runUnder(node, script, args) {
  const child = spawn(node, [script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const code = await new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', done)
  })
  process.exit(code ?? 1)
}
