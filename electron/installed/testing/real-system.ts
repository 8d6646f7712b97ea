/** Real files below a folder that stands for the root of another machine; its programs are answered by the test. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, lstatSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeInstalledSystem } from '../node-system.ts'
import type { InstalledSystem } from '../types.ts'

export interface TestMachine {
  root: string
  /** the person's home */
  home: string
  system: InstalledSystem
  at(path: string): string
  /** every file, link and folder, with its content: equal before and after what is undone exactly */
  snapshot(): Readonly<Record<string, string>>
  remove(): void
}

export function testMachine(
  platform: NodeJS.Platform,
  more: Partial<InstalledSystem> & { rootsFolders?: readonly string[] } = {},
): TestMachine {
  const root = mkdtempSync(join(tmpdir(), 'onward-machine-'))
  const home = join(root, 'home/ada')
  mkdirSync(home, { recursive: true })
  const env = { HOME: home, PATH: '/usr/bin:/bin' }
  const real = nodeInstalledSystem(env)
  // `/usr/local/bin` is of the real machine; here it lies below the root.
  const at = (path: string) => (path.startsWith('/usr/local') ? join(root, path) : path)
  const { rootsFolders = [], ...rest } = more
  return {
    root,
    home,
    at,
    system: {
      ...real,
      platform,
      loginPath: async () => null,
      read: (path) => real.read(at(path)),
      write: (path, data) => real.write(at(path), data),
      remove: (path) => real.remove(at(path)),
      linkTarget: (path) => real.linkTarget(at(path)),
      link: (target, path) => real.link(target, at(path)),
      makeExecutable: (path) => real.makeExecutable(at(path)),
      canWriteIn: async (path) => !rootsFolders.includes(path) && existsSync(at(path)),
      ...rest,
    },
    snapshot() {
      const found: Record<string, string> = {}
      for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        const path = join(root, name)
        const is = lstatSync(path)
        found[name] = is.isDirectory()
          ? '(folder)'
          : is.isSymbolicLink()
            ? `-> ${readlinkSync(path)}`
            : `${(is.mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`
      }
      return found
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
