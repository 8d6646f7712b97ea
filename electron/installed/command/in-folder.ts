/** The command as one file or link in a folder for programs. */
import { dirname, join } from 'node:path'
import type { CommandState } from '../../../shared/commands/shell-calls.ts'
import { notOurs } from '../errors.ts'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { z } from 'zod'

export interface InFolder {
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

export function commandInFolder({ system, home, paths, held, put }: InFolder): CommandItem {
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
