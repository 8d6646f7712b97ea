import { posix, join, win32, dirname } from 'node:path'
import { z } from 'zod'
import type { CommandState } from '../../../shared/commands/shell-calls.ts'
import { notOurs } from '../errors.ts'
import type { Install } from '../install.ts'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { asNode } from './as-node.ts'
import { windowsUserPath, type UserPath } from './windows-user-path.ts'

/** @param home Onward's, where it notes which folders it made */
export function commandOf(install: Install, system: InstalledSystem, home: string): CommandItem {
  switch (install.kind) {
    case 'mac':
      return macLink(system, home, posix.join(install.app, 'Contents'))
    case 'appimage':
      return appImageScript(system, home, install.file)
    case 'windows':
      return windowsPath(windowsUserPath(system), install.folder)
    case 'deb':
    case 'rpm':
      return given({ kind: 'with-package' })
    case 'npm':
    case 'repository':
    case 'folder':
      return given({ kind: 'impossible', why: 'not-installed' })
  }
}

const given = (state: CommandState): CommandItem => ({
  read: async () => state,
  install: async () => undefined,
  remove: async () => undefined,
})

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const textOf = (appImage: string): string => `#!/bin/sh
# Written by Onward: the command line of its AppImage. "Remove the command" in Onward's settings takes it away.
app=${quoted(appImage)}
if [ ! -x "$app" ]; then
  echo "onward: $app is not there any more. Start Onward's AppImage where it is now, and install the command anew." >&2
  exit 127
fi
ELECTRON_RUN_AS_NODE=1 exec "$app" ${asNode.map(quoted).join(' ')} "$@"
`

/** Linux, an AppImage: a script in the person's own folder of programs. */
export function appImageScript(system: InstalledSystem, home: string, appImage: string): CommandItem {
  return commandInFolder({
    system,
    home,
    paths: [join(system.env.HOME ?? '/', '.local/bin/onward')],
    async held(path) {
      if ((await system.linkTarget(path)) !== null) return 'foreign'
      const text = (await system.read(path))?.toString() ?? null
      if (text === null) return 'nothing'
      if (text === textOf(appImage)) return 'ours'
      // One of another AppImage, or of an Onward before this one; what a person changed there is theirs.
      const of = /^app='(.*)'$/m.exec(text)?.[1]?.replaceAll("'\\''", "'")
      return of !== undefined && text === textOf(of) ? 'stale' : 'foreign'
    },
    async put(path) {
      const made = await system.write(path, Buffer.from(textOf(appImage)))
      await system.makeExecutable(path)
      return made
    },
  })
}

/** Matches any Onward.app: one that was moved or replaced leaves a link to its old place. */
const ofAnApp = /\/Onward[^/]*\.app\/Contents\/Resources\/bin\/onward$/

/** macOS: a link to the script in the bundle, which finds its way back by the link. */
export function macLink(system: InstalledSystem, home: string, contents: string): CommandItem {
  const script = join(contents, 'Resources/bin/onward')
  const link = commandInFolder({
    system,
    home,
    // The first is on every PATH; it is root's where no other program came before.
    paths: ['/usr/local/bin/onward', join(system.env.HOME ?? '/', '.local/bin/onward')],
    async held(path) {
      const target = await system.linkTarget(path)
      if (target === script) return 'ours'
      if (target !== null) return ofAnApp.test(target) ? 'stale' : 'foreign'
      return (await system.read(path)) === null ? 'nothing' : 'foreign'
    },
    put: (path) => system.link(script, path),
  })
  // Run from the image, or before it was moved, its place is gone tomorrow (Gatekeeper Path Randomization).
  const passing = contents.startsWith('/Volumes/') || contents.includes('/AppTranslocation/')
  return passing ? { ...link, read: async () => ({ kind: 'impossible', why: 'not-moved' }) } : link
}

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

interface InFolder {
  system: InstalledSystem
  /** Onward's */
  home: string
  /** where it may lie, the best first */
  paths: readonly string[]
  /** `stale`: ours, and leads to another Onward */
  held(path: string): Promise<'nothing' | 'ours' | 'stale' | 'foreign'>
  /** @returns the outermost folder it made */
  put(path: string): Promise<string | null>
}

/** The command as one file or link in a folder for programs. */
function commandInFolder({ system, home, paths, held, put }: InFolder): CommandItem {
  const note = commandNote(system, home)
  const all = () => Promise.all(paths.map(async (path) => ({ path, what: await held(path) })))
  const onPath = async (path: string): Promise<boolean> => {
    const searched = (await system.loginPath()) ?? system.env.PATH ?? ''
    return searched.split(':').includes(dirname(path))
  }
  const read = async (): Promise<CommandState> => {
    const found = await all()
    const mine = found.find(({ what }) => what === 'ours')
    if (mine) return { kind: 'installed', path: mine.path, onPath: await onPath(mine.path) }
    const other = found.find(({ what }) => what === 'foreign')
    return other ? { kind: 'foreign', path: other.path } : { kind: 'absent' }
  }
  const remove = async () => {
    for (const { path, what } of await all()) if (what === 'ours' || what === 'stale') await system.remove(path)
    const noted = await note.read()
    if (noted?.made) await system.removeFolders(dirname(noted.path), noted.made)
    await note.forget()
  }
  return {
    read,
    remove,
    async install() {
      const state = await read()
      if (state.kind === 'installed') return
      if (state.kind === 'foreign') throw notOurs(state.path)
      await remove()
      const path = (await firstWritable(paths, system)) ?? paths.at(-1)
      if (path === undefined) return
      await note.write({ path, made: await put(path) })
    },
  }
}

async function firstWritable(paths: readonly string[], system: InstalledSystem): Promise<string | null> {
  for (const path of paths) if (await system.canWriteIn(dirname(path))) return path
  return null
}

const shape = z.object({
  path: z.string(),
  /** outermost folder that was made for it */
  made: z.string().nullable(),
})
type Note = z.infer<typeof shape>

/** Which folders were made for the command, so that they go with it. */
function commandNote(system: InstalledSystem, home: string) {
  const file = join(home, 'command.json')
  return {
    async read(): Promise<Note | null> {
      const text = await system.read(file)
      return text === null ? null : shape.parse(JSON.parse(text.toString()))
    },
    async write(note: Note): Promise<void> {
      await system.write(file, Buffer.from(`${JSON.stringify(note)}\n`))
    },
    forget: () => system.remove(file),
  }
}
