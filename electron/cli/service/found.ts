/** The files found where the service's files belong, and our note from when we wrote them. */
import { dirname, join } from 'node:path'
import type { ServiceNote } from './note-shape.ts'
import { readSeal } from './seal.ts'
import type { ServiceFile, ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'

export interface Found extends ServiceFile {
  /** null: nothing */
  before: Buffer | null
  /** `same`: to the last byte as it would be written now */
  held: 'none' | 'same' | 'ours' | 'changed' | 'foreign'
  /** of the Onward that wrote it */
  version: string | null
}

/** the one that starts it first */
export type FoundFiles = readonly [Found, ...Found[]]

export async function findService(
  spec: ServiceSpec,
  manager: ServiceManager,
  system: ServiceSystem,
): Promise<FoundFiles> {
  const [main, ...others] = manager.filesOf(spec)
  return [await findFile(main, system), ...(await Promise.all(others.map((file) => findFile(file, system))))]
}

async function findFile(file: ServiceFile, system: ServiceSystem): Promise<Found> {
  const before = await system.read(file.path)
  if (before === null) return { ...file, before, held: 'none', version: null }
  const text = before.toString()
  const seal = readSeal(text)
  if (seal.kind === 'foreign') return { ...file, before, held: 'foreign', version: null }
  return { ...file, before, held: text === file.text ? 'same' : seal.kind, version: seal.version }
}

/** True if we wrote it, even where it was changed since. */
export const isOurs = ({ held }: Found): boolean => held !== 'none' && held !== 'foreign'

export const isAsItWouldBe = ({ held, text }: Found): boolean => held === 'same' || (text === null && held === 'none')

/** True if it was changed or made by others, and it is in the way. */
export const isInTheWay = ({ held, text }: Found): boolean =>
  held === 'changed' || (held === 'foreign' && text !== null)

export type { ServiceNote }

export const serviceFolder = (spec: ServiceSpec): string => join(spec.home, 'service')
const noteFile = (spec: ServiceSpec): string => join(serviceFolder(spec), `${spec.name}.json`)

export async function readNote(spec: ServiceSpec, system: ServiceSystem): Promise<ServiceNote | null> {
  const text = await system.read(noteFile(spec))
  if (text === null) return null
  // Loaded by the commands that need it: a validator is half of what a command's start takes.
  const { noteShape } = await import('./note-shape.ts')
  return noteShape.parse(JSON.parse(text.toString()))
}

export async function writeNote(spec: ServiceSpec, note: ServiceNote, system: ServiceSystem): Promise<void> {
  await system.write(noteFile(spec), Buffer.from(`${JSON.stringify(note)}\n`))
}

/** The note is of no use any more; files kept for a person stay, and the folder with them. */
export async function forgetNote(spec: ServiceSpec, note: ServiceNote | null, system: ServiceSystem): Promise<void> {
  await system.remove(noteFile(spec))
  for (const kept of Object.values(note?.kept ?? {})) await system.remove(kept)
  if (note?.made) await system.removeFolders(dirname(note.file), note.made)
  await system.removeFolders(serviceFolder(spec), serviceFolder(spec))
}
