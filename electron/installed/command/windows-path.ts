import { win32 } from 'node:path'
import type { CommandItem } from '../types.ts'
import type { UserPath } from './windows-user-path.ts'

const same = (a: string, b: string): boolean => plain(a) === plain(b)
const plain = (folder: string): string => folder.trim().replace(/\\+$/, '').toLowerCase()

/** Windows: the folder of onward.cmd on the person's own PATH, for which no administrator is needed. */
export function windowsPath(path: UserPath, folder: string): CommandItem {
  const commands = win32.join(folder, 'resources', 'bin')
  const entries = async () => (await path.read())?.split(';') ?? []
  return {
    read: async () =>
      (await entries()).some((entry) => same(entry, commands))
        ? { kind: 'installed', path: win32.join(commands, 'onward.cmd'), onPath: true }
        : { kind: 'absent' },
    async install() {
      const before = await path.read()
      if (before?.split(';').some((entry) => same(entry, commands))) return
      // A `;` at the end is the person's: it comes back when the entry after it is taken out.
      await path.write(before === null ? commands : `${before};${commands}`)
    },
    async remove() {
      const before = await entries()
      const left = before.filter((entry) => !same(entry, commands))
      if (left.length < before.length) await path.write(left.length === 0 ? null : left.join(';'))
    },
  }
}
