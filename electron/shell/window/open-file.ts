/** Files and folders that the page asks for: which they are, and how they are opened without starting anything. */
import { extname, join } from 'node:path'
import type { Picture } from '../tray/picture.ts'

/** The page's name for a file is looked up in the engine's data; a path never comes from the page. */
export function pathAskedFor(
  wanted: unknown,
  { status, sessions }: Pick<Picture, 'status' | 'sessions'>,
): string | null {
  if (status === null) return null
  switch (wanted) {
    case 'config':
      return status.configPath
    case 'home':
      return status.home
    case 'logs':
      return join(status.home, 'logs')
    default:
      return sessions.get(sessionOf(wanted))?.cwd ?? null
  }
}

const sessionOf = (wanted: unknown): string => {
  const session: unknown = typeof wanted === 'object' && wanted !== null ? Reflect.get(wanted, 'folderOf') : null
  return typeof session === 'string' ? session : ''
}

export interface FoundFile {
  kind: 'folder' | 'file' | 'other'
  /** a user may run it */
  executable: boolean
}

/** Texts, that no system runs. */
const texts: ReadonlySet<string> = new Set(['.json', '.jsonc', '.md', '.txt', '.log'])

/** `reveal`: shown in the file manager, because to open it could start something */
export function howToOpen(path: string, found: FoundFile, platform: NodeJS.Platform): 'open' | 'reveal' {
  const ending = extname(path).toLowerCase()
  // On macOS a folder with an ending may be a program.
  if (found.kind === 'folder') return platform === 'darwin' && ending !== '' ? 'reveal' : 'open'
  return found.kind === 'file' && !found.executable && texts.has(ending) ? 'open' : 'reveal'
}
