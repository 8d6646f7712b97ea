import { forgetNote, readNote } from './found.ts'
import { runSteps } from './run-steps.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'

/**
 * The file, what was registered and the folders made for it go; what stood there before us comes back, byte for byte.
 */
export async function uninstallService(
  spec: ServiceSpec,
  { manager, system }: { manager: ServiceManager; system: ServiceSystem },
): Promise<void> {
  const note = await readNote(spec, system)
  await runSteps(manager.stop(spec), system)
  const before = note?.kept ? await system.read(note.kept) : null
  const file = manager.fileOf(spec)
  if (before === null) await system.remove(file)
  else await system.write(file, before)
  await forgetNote(spec, note, system)
  await runSteps(manager.afterRemoval(spec), system)
}
