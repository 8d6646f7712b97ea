/**
 * A line to the engine of another machine: one `ssh`, in which `onward link` there names its engine and then passes the
 * bytes of the engine's own socket on. Nothing listens here for it, and nothing of it is on the disk.
 */
import { Duplex, type Readable } from 'node:stream'
import { systemCodeOf } from '../engine/base/errors.ts'
import { readGreeting, type EngineThere, type Greeting } from './greeting.ts'
import { lineLost, noSsh, notLinked, notUsable } from './link-problem.ts'
import type { Machine } from './machine.ts'
import { endOf, runSsh, sharedFolder, type LinkDeps } from './ssh-process.ts'
import { endSharedWords, linkWords } from './ssh-words.ts'

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
/** what start files of a shell may print before the greeting */
const mostBefore = 64 * 1024

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
      if (tooLate && folder !== null) await runSsh(deps, endSharedWords(machine, folder))
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
