/**
 * A line to the engine of another machine: one `ssh`, in which `onward link` there names its engine and then passes the
 * bytes of the engine's own socket on. Nothing listens here for it, and nothing of it is on the disk.
 */
import { Duplex, type Readable, type Writable } from 'node:stream'
import { makeFolders } from '../engine/store/disk-files.ts'
import { systemCodeOf } from '../engine/base/errors.ts'
import { readGreeting, type EngineThere, type Greeting } from './greeting.ts'
import { lineLost, noSsh, notLinked, notUsable, type SshEnd } from './link-problem.ts'
import type { Machine } from './machine.ts'
import { configWords, endSharedWords, linkWords, sharesItself } from './ssh-words.ts'

/** The part of a child process that is used here. */
export interface SshProcess {
  readonly pid?: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit' | 'close', listener: (code: number | null) => void): unknown
  kill(signal?: NodeJS.Signals): unknown
}

export interface LinkDeps {
  /** `ssh` with these words, in the person's environment */
  spawn(words: readonly string[]): SshProcess
  /** for the sockets of shared connections, closed to others; null where ssh has none (Windows) */
  folder: string | null
}

export interface LinkOptions {
  /** start an engine there, where none runs */
  start?: boolean
  withinMs?: number
}

export interface Link {
  machine: Machine
  /** of the `onward` there, which need not be its engine's */
  version: string
  /** for this line: none ran before */
  started: boolean
  engine: EngineThere
  /** the engine's own socket */
  channel: Duplex
  pid: number | undefined
  /** settles when the line is gone, with why */
  lost: Promise<Error>
  close(): void
}

/** a login, a slow jump host and an engine that starts */
const openWithinMs = 40_000
const configWithinMs = 10_000
/** between the end of ssh and that of its words */
const lastWordsMs = 250
/** what start files of a shell may print before the greeting */
const mostBefore = 64 * 1024
const mostSaid = 8 * 1024

/** @throws OnwardError `machine-…`, each with what a person can do */
export async function openLink(machine: Machine, deps: LinkDeps, options: LinkOptions = {}): Promise<Link> {
  const withinMs = options.withinMs ?? openWithinMs
  const folder = await sharedFolder(machine, deps)
  const ssh = deps.spawn(linkWords(machine, folder, options.start === true))
  const ended = endOf(ssh)
  let tooLate = false
  const late = setTimeout(() => {
    tooLate = true
    ssh.kill('SIGKILL')
  }, withinMs)
  try {
    const read = await Promise.race([greetingOf(ssh.stdout), ended.then(() => null)])
    if (read === null) {
      const end = await ended
      if (end.failed) throw systemCodeOf(end.failed) === 'ENOENT' ? noSsh(machine, end.failed) : end.failed
      // a shared connection may be what does not answer, as after a sleep: the next command makes a new one
      if (tooLate && folder !== null) await run(deps, endSharedWords(machine, folder))
      throw notLinked(machine, end, tooLate ? withinMs : null)
    }
    const refused = notUsable(machine, read)
    if (refused) throw refused
    if (read.kind !== 'engine') throw new Error('unreachable')
    const channel = Duplex.from({ readable: ssh.stdout, writable: ssh.stdin }) as Duplex
    // closing it is an error of its own; what a reader has to know `lost` says
    channel.on('error', () => undefined)
    return {
      machine,
      version: read.version,
      started: read.started,
      engine: read.engine,
      channel,
      pid: ssh.pid,
      lost: ended.then((end) => lineLost(machine, end)),
      close() {
        channel.destroy()
        ssh.kill()
      },
    }
  } catch (error) {
    ssh.kill()
    throw error
  } finally {
    clearTimeout(late)
  }
}

/** The folder for a shared connection; null: the person's config shares its own, or there can't be one. */
async function sharedFolder(machine: Machine, deps: LinkDeps): Promise<string | null> {
  if (deps.folder === null || sharesItself(await run(deps, configWords(machine)))) return null
  await makeFolders(deps.folder)
  return deps.folder
}

/** What a short ssh prints; nothing of it is worth an error of its own, since the real one comes after it. */
async function run({ spawn }: LinkDeps, words: readonly string[]): Promise<string> {
  const ssh = spawn(words)
  let out = ''
  ssh.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const late = setTimeout(() => ssh.kill('SIGKILL'), configWithinMs)
  await endOf(ssh)
  clearTimeout(late)
  return out
}

interface End extends SshEnd {
  failed: Error | null
}

function endOf(ssh: SshProcess): Promise<End> {
  let said = ''
  ssh.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostSaid)
  })
  // a pipe that broke is an ssh that ended
  ssh.stdin.on('error', () => undefined)
  return new Promise((resolve) => {
    ssh.once('error', (failed) => resolve({ code: null, said, failed }))
    ssh.once('close', (code) => resolve({ code, said, failed: null }))
    // a shared connection may hold our stderr for as long as it is kept, and `close` comes only then
    ssh.once('exit', (code) => setTimeout(() => resolve({ code, said, failed: null }), lastWordsMs))
  })
}

/** Reads up to the greeting and leaves the rest in the stream. null: it ended without one. */
function greetingOf(stdout: Readable): Promise<Greeting | null> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0)
    const done = (greeting: Greeting | null, rest: Buffer | null) => {
      stdout.off('readable', look).off('end', over).off('close', over)
      if (rest && rest.length > 0) stdout.unshift(rest)
      resolve(greeting)
    }
    const over = () => done(null, null)
    const look = () => {
      for (let chunk = stdout.read() as Buffer | null; chunk !== null; chunk = stdout.read() as Buffer | null) {
        seen = Buffer.concat([seen, chunk])
        for (let end = seen.indexOf(10); end >= 0; end = seen.indexOf(10)) {
          const greeting = readGreeting(seen.subarray(0, end).toString('utf8'))
          seen = seen.subarray(end + 1)
          if (greeting) return done(greeting, seen)
        }
        if (seen.length > mostBefore) return done(null, null)
      }
    }
    stdout.on('readable', look).once('end', over).once('close', over)
  })
}
