import { findService, forgetNote, isOurs, readNote } from './found.ts'
import { runSteps } from './run-steps.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'

/**
 * The files, the registration and the folders made for them go; files that stood there before us come back, byte for
 * byte.
 */
export async function uninstallService(
  spec: ServiceSpec,
  { manager, system }: { manager: ServiceManager; system: ServiceSystem },
): Promise<void> {
  const note = await readNote(spec, system)
  const paths = (await findService(spec, manager, system)).filter(isOurs).map(({ path }) => path)
  await runSteps(manager.stop(spec, paths), system)
  for (const path of paths) await takeAway(path, note?.kept[path], system)
  await forgetNote(spec, note, system)
  await runSteps(manager.afterRemoval(spec), system)
}

/** @param kept what stood there before us */
export async function takeAway(path: string, kept: string | undefined, system: ServiceSystem): Promise<void> {
  const before = kept === undefined ? null : await system.read(kept)
  if (before === null) await system.remove(path)
  else await system.write(path, before)
  if (kept !== undefined) await system.remove(kept)
}
