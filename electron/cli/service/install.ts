import { basename, join } from 'node:path'
import { readNote, serviceFolder, writeNote, type Found } from './found.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'
import { runSteps } from './run-steps.ts'
import { uninstallService } from './uninstall.ts'

/** Where what is replaced by force is kept; null: nothing of somebody else's is replaced. */
export function keptAs(spec: ServiceSpec, { file, held }: Found, now: number): string | null {
  if (held === 'foreign') return join(serviceFolder(spec), `${basename(file)}.before-${now}`)
  if (held === 'changed') return join(serviceFolder(spec), `${basename(file)}.changed-${now}`)
  return null
}

/**
 * Writes the file and runs what makes it count. When something fails, everything is as it was before.
 * @throws CliError with the program that failed and what it said
 */
export async function installService(
  spec: ServiceSpec,
  found: Found,
  kept: string | null,
  { manager, system }: { manager: ServiceManager; system: ServiceSystem },
): Promise<void> {
  const earlier = await readNote(spec, system)
  if (kept !== null && found.before !== null) await system.write(kept, found.before)
  const made = await system.write(found.file, Buffer.from(manager.textOf(spec)))
  await writeNote(
    spec,
    {
      file: found.file,
      made: earlier?.made ?? made,
      // A change of ours made by hand is kept for its maker; what was there before us is put back one day.
      kept: found.held === 'foreign' ? kept : (earlier?.kept ?? null),
    },
    system,
  )
  try {
    await runSteps(manager.start(spec), system)
  } catch (error) {
    await putBack(spec, found, { manager, system })
    if (kept !== null) await system.remove(kept)
    throw error
  }
}

async function putBack(
  spec: ServiceSpec,
  found: Found,
  on: { manager: ServiceManager; system: ServiceSystem },
): Promise<void> {
  if (found.before === null || found.held === 'foreign') return uninstallService(spec, on)
  await on.system.write(found.file, found.before)
  for (const step of on.manager.start(spec)) await on.system.run(step.argv)
}
