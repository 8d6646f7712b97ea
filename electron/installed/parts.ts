/** All of it, for a program that has no Electron around it. */
import { fileURLToPath } from 'node:url'
import { systemClock } from '../engine/base/clock.ts'
import type { Keychain } from '../engine/secrets/keychain.ts'
import { systemKeychain } from '../keychain/of-system.ts'
import { agentSetupsOf } from './undo/agents.ts'
import { keychainEntriesOf, removeEntries } from './undo/keychain-entries.ts'
import { planUndo, runUndo } from './undo/plan.ts'
import { nodeInstalledSystem } from './node-system.ts'
import { installHere, type Install } from './install.ts'
import type { InstalledSystem } from './types.ts'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { OnwardError } from '../engine/base/errors.ts'

export interface InstalledParts {
  system: InstalledSystem
  install: Install
  agentSetupsOf: typeof agentSetupsOf
  planUndo: typeof planUndo
  runUndo: typeof runUndo
  refuseOther: typeof refuseOther
  removeHome: typeof removeHome
  keychainEntriesOf: typeof keychainEntriesOf
  removeEntries: typeof removeEntries
  keychain(): Keychain
}

export function installedParts(env: Readonly<Record<string, string | undefined>>): InstalledParts {
  return {
    system: nodeInstalledSystem(env),
    install: installHere(fileURLToPath(import.meta.url), env),
    agentSetupsOf,
    planUndo,
    runUndo,
    refuseOther,
    removeHome,
    keychainEntriesOf,
    removeEntries,
    keychain: () => systemKeychain(env, systemClock()),
  }
}

/** Files of every home that an engine ever ran on. */
const signs = ['format.json', 'control-token', 'config.json', 'sessions']

/**
 * All that Onward keeps.
 * @throws OnwardError `not-a-home` on a folder that is none, or holds the person's own home
 */
async function removeHome(home: string, personHome: string): Promise<void> {
  refuseOther(home, personHome)
  await rm(home, { recursive: true, force: true })
}

function refuseOther(home: string, personHome: string): void {
  const inside = relative(resolve(home), resolve(personHome))
  const holdsPerson = inside === '' || !inside.startsWith('..')
  if (holdsPerson || !signs.some((name) => existsSync(join(home, name))))
    throw new OnwardError('not-a-home', `${home} is no home of Onward’s, so it is not removed.`)
}
