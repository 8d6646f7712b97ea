/** The command line in-process, with its output kept. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ControlApi } from '../../../shared/operations/index.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import { OnwardError } from '../../engine/base/errors.ts'
import { contract } from '../../../shared/control/contract.ts'
import { announceEngine } from '../../engine/control/attach.ts'
import { controlTokenFile } from '../../engine/control/token.ts'
import { fakeControlApi, sceneTime } from '../../engine/control/testing/fake-control-api.ts'
import { listenControl, type ListeningControl } from '../../engine/control/testing/listen.ts'
import type { Cli } from '../cli.ts'
import { run } from '../run.ts'

export interface Ran {
  code: number
  out: string
  err: string
  diedBy: NodeJS.Signals | null
}

const notHere = (what: string) => () => {
  throw new OnwardError('not-in-this-test', `${what} is not part of this test`)
}

export async function onward(words: readonly string[], more: Partial<Omit<Cli, 'exitWith'>> = {}): Promise<Ran> {
  const ran: Ran = { code: 0, out: '', err: '', diedBy: null }
  ran.code = await run(words, {
    out: (text) => {
      ran.out += text
    },
    err: (text) => {
      ran.err += text
    },
    env: { PATH: process.env.PATH, HOME: '/home/ada' },
    cwd: process.cwd(),
    platform: process.platform,
    version: '0.1.0',
    tty: { in: false, out: false, err: false, columns: 80 },
    self: [process.execPath, '/nowhere/onward.js'],
    command: () => 'onward',
    now: () => sceneTime,
    readStdin: async () => notHere('stdin')(),
    askYesNo: notHere('a question'),
    askLine: notHere('a question'),
    untilInterrupted: notHere('interrupting'),
    dieBy: (signal) => {
      ran.diedBy = signal
    },
    parts: {
      sentencesOf: async (language) => sentencesOf(language),
      checkConfig: notHere('the config check'),
      policiesFor: async () => null,
      serve: notHere('serving'),
      serviceSystem: notHere('the service manager'),
      installed: notHere('what is installed'),
      runWrapped: notHere('the wrapper'),
      resumeArgv: async () => null,
      openLink: notHere('another machine'),
      installer: notHere('installing it on another machine'),
      relay: notHere('a line from another machine'),
    },
    ...more,
  })
  return ran
}

export interface TestHome {
  path: string
  listening: ListeningControl | null
  remove(): Promise<void>
}

/** A home on disk, a new one or `at`; with an api also an engine that answers for it. */
export async function testHome(api: Partial<ControlApi> | null = null, at?: string): Promise<TestHome> {
  const path = at ?? (await mkdtemp(join(tmpdir(), 'onward-cli-')))
  if (!api) return { path, listening: null, remove: () => rm(path, { recursive: true, force: true }) }
  const listening = await listenControl(fakeControlApi(api))
  await writeFile(controlTokenFile(path), `${listening.token}\n`, { mode: 0o600 })
  const note = await announceEngine(path, {
    pid: process.pid,
    host: listening.host,
    port: listening.port,
    socket: listening.socket,
    startedAt: sceneTime,
    version: '0.1.0',
    contract,
  })
  return {
    path,
    listening,
    async remove() {
      note.dispose()
      await listening.close()
      await rm(path, { recursive: true, force: true })
    },
  }
}
