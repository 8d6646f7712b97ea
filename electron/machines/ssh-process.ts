/** One `ssh` as a process, and what is the same for each of them. */
import type { Readable, Writable } from 'node:stream'
import { makeFolders } from '../engine/store/disk-files.ts'
import type { SshEnd } from './link-problem.ts'
import type { Machine } from './machine.ts'
import { configWords, sharesItself } from './ssh-words.ts'

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

const configWithinMs = 10_000
/** between the end of ssh and that of its words */
const lastWordsMs = 250
const mostSaid = 8 * 1024

/** The folder for a shared connection; null: the person's config shares its own, or there can't be one. */
export async function sharedFolder(machine: Machine, deps: LinkDeps): Promise<string | null> {
  if (deps.folder === null || sharesItself(await runSsh(deps, configWords(machine)))) return null
  await makeFolders(deps.folder)
  return deps.folder
}

/** Returns what a short ssh prints; nothing of it is worth an error of its own, since the real one comes after it. */
export async function runSsh({ spawn }: LinkDeps, words: readonly string[]): Promise<string> {
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

export interface End extends SshEnd {
  failed: Error | null
}

export function endOf(ssh: SshProcess): Promise<End> {
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
