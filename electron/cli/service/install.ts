import { basename, join } from 'node:path'
import { readNote, serviceFolder, writeNote, type Found, type FoundFiles } from './found.ts'
import type { ServiceManager, ServiceSpec, ServiceState, ServiceSystem } from './types.ts'
import { runStep, runSteps } from './run-steps.ts'
import { takeAway, uninstallService } from './uninstall.ts'

/** The path at which a file replaced by force is kept; null: no file of others is replaced. */
export function keptAs(spec: ServiceSpec, { path, held }: Found, now: number): string | null {
  if (held === 'foreign') return join(serviceFolder(spec), `${basename(path)}.before-${now}`)
  if (held === 'changed') return join(serviceFolder(spec), `${basename(path)}.changed-${now}`)
  return null
}

export interface Installing {
  spec: ServiceSpec
  found: FoundFiles
  state: ServiceState
  now: number
  manager: ServiceManager
  system: ServiceSystem
}

/**
 * Writes the files and runs what makes them count. When something fails, everything is as it was before.
 * @throws CliError with the program that failed and what it said
 */
export async function installService(installing: Installing): Promise<void> {
  const { spec, found, state, now, manager, system } = installing
  const earlier = await readNote(spec, system)
  const kept: Record<string, string> = { ...earlier?.kept }
  const copies: string[] = []
  let made: string | null = null
  for (const file of found) {
    const { path, text, before, held } = file
    // Not Onward's, and not in the way.
    if (text === null && (before === null || held === 'foreign')) continue
    const copy = keptAs(spec, file, now)
    if (copy !== null && before !== null) {
      await system.write(copy, before)
      copies.push(copy)
      // A change of our file made by hand is kept for its maker; a file that was there before us is put back one day.
      if (held === 'foreign') kept[path] = copy
    }
    if (text === null) {
      await runSteps(manager.stop(spec, [path]), system)
      await takeAway(path, kept[path], system)
      delete kept[path]
    } else made = (await system.write(path, Buffer.from(text))) ?? made
  }
  await writeNote(spec, { file: found[0].path, made: earlier?.made ?? made, kept }, system)
  try {
    await runSteps(manager.start(spec, state), system)
  } catch (error) {
    await putBack(installing)
    for (const copy of copies) await system.remove(copy)
    throw error
  }
}

async function putBack({ spec, found, state, manager, system }: Installing): Promise<void> {
  const [{ before, held }] = found
  if (before === null || held === 'foreign') return uninstallService(spec, { manager, system })
  const added = found.filter((file) => file.before === null && file.text !== null)
  for (const step of manager.stop(
    spec,
    added.map(({ path }) => path),
  ))
    await runStep(step, system)
  for (const { path } of added) await system.remove(path)
  for (const file of found) if (file.before !== null) await system.write(file.path, file.before)
  const listens = found.some((file) => file !== found[0] && file.before !== null) ? spec.listens : null
  for (const step of manager.start({ ...spec, listens }, state)) await runStep(step, system)
}
