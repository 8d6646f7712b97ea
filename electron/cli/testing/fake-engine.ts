/**
 * Stands in for `onward serve` where a test starts an engine as a process: a control server and a note, nothing else.
 */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '../../../shared/control/contract.ts'
import { announceEngine } from '../../engine/control/attach.ts'
import { controlTokenFile } from '../../engine/control/token.ts'
import { fakeControlApi, sampleStatus } from '../../engine/control/testing/fake-control-api.ts'
import { listenControl } from '../../engine/control/testing/listen.ts'
import { exitCodes } from '../exit.ts'

const argument = (name: string) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const home = argument('--home') ?? ''
if (process.env.FAKE_ENGINE_FAILS) {
  process.stderr.write(`onward: ${process.env.FAKE_ENGINE_FAILS}\n`)
  process.exit(exitCodes.failed.code)
}
// only one per home, as with the real engine's lock
await open(join(home, 'lock'), 'wx').catch(() => process.exit(exitCodes.engineRuns.code))
const api = fakeControlApi({
  status: async () => sampleStatus({ pid: process.pid, home }),
  registerTerminal: async (input) => ({
    terminalId: 'term_bg',
    argv: input.client === 'other' ? input.args : ['agent', ...input.args],
    env: { ONWARD_KEY: 'key-from-background' },
  }),
  terminalEnded: async () => null,
})
const listening = await listenControl(api, { token: 'background-token-'.padEnd(43, '0') })
await writeFile(controlTokenFile(home), listening.token, { mode: 0o600 })
const note = await announceEngine(home, {
  pid: process.pid,
  host: listening.host,
  port: listening.port,
  socket: listening.socket,
  startedAt: Date.now(),
  version: '0.1.0',
  contract,
})
process.on('SIGTERM', () => {
  note.dispose()
  process.exit(0)
})
