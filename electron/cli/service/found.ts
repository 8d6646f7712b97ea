/** What stands where the service's file belongs, and what we noted when we wrote it. */
import { dirname, join } from 'node:path'
import type { ServiceNote } from './note-shape.ts'
import { readSeal } from './seal.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'

export interface Found {
  file: string
  /** null: nothing */
  before: Buffer | null
  /** `same`: to the last byte as it would be written now */
  held: 'none' | 'same' | 'ours' | 'changed' | 'foreign'
  /** of the Onward that wrote it */
  version: string | null
}

export async function findService(spec: ServiceSpec, manager: ServiceManager, system: ServiceSystem): Promise<Found> {
  const file = manager.fileOf(spec)
  const before = await system.read(file)
  if (before === null) return { file, before, held: 'none', version: null }
  const text = before.toString()
  const seal = readSeal(text)
  if (seal.kind === 'foreign') return { file, before, held: 'foreign', version: null }
  return { file, before, held: text === manager.textOf(spec) ? 'same' : seal.kind, version: seal.version }
}

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

/** What was noted is of no use any more; what is kept for a person stays, and the folder with it. */
export async function forgetNote(spec: ServiceSpec, note: ServiceNote | null, system: ServiceSystem): Promise<void> {
  await system.remove(noteFile(spec))
  if (note?.kept) await system.remove(note.kept)
  if (note?.made) await system.removeFolders(dirname(note.file), note.made)
  await system.removeFolders(serviceFolder(spec), serviceFolder(spec))
}
