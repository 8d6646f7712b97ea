/** A machine of three possible kinds: its files in memory, its programs answered by the test. */
import { posix } from 'node:path'
import type { ProgramRun, ServiceSystem } from '../types.ts'

export interface FakeSystem extends ServiceSystem {
  files: Map<string, string>
  folders: Set<string>
  /** the command lines that were run */
  ran: string[]
  /** those that were given longer than usual, with how long */
  longer: [string, number][]
}

type Answers = (line: string) => Partial<ProgramRun> | undefined

export function fakeSystem(
  platform: NodeJS.Platform,
  { answers = () => undefined, ...more }: { answers?: Answers } & Partial<ServiceSystem> = {},
): FakeSystem {
  const files = new Map<string, string>()
  const folders = new Set(['/', '/home', '/home/ada'])
  const ran: string[] = []
  const longer: [string, number][] = []
  return {
    platform,
    env: { HOME: '/home/ada', USERDOMAIN: 'DESK', USERPROFILE: 'C:\\Users\\ada' },
    uid: 501,
    user: 'ada',
    files,
    folders,
    ran,
    longer,
    read: async (path) => {
      const text = files.get(path)
      return text === undefined ? null : Buffer.from(text, 'latin1')
    },
    async write(path, data) {
      files.set(path, data.toString('latin1'))
      let made: string | null = null
      for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) {
        folders.add(at)
        made = at
      }
      return made
    },
    remove: async (path) => {
      files.delete(path)
    },
    async removeFolders(from, upTo) {
      for (let at = from; at.startsWith(upTo); at = posix.dirname(at)) {
        if ([...files.keys(), ...folders].some((path) => path.startsWith(`${at}/`))) return
        folders.delete(at)
      }
    },
    async run(argv, withinMs) {
      if (withinMs !== undefined) longer.push([argv.join(' '), withinMs])
      ran.push(argv.join(' '))
      return { code: 0, out: '', err: '', ...answers(argv.join(' ')) }
    },
    addressOf: async () => ({ host: '127.0.0.1', port: 5520 }),
    loginPath: async () => '/home/ada/.local/bin:/usr/bin:/bin',
    pause: async () => undefined,
    ...more,
  }
}
