/** All of it, for a program that has no Electron around it. */
import { fileURLToPath } from 'node:url'
import { systemClock } from '../engine/base/clock.ts'
import type { Keychain } from '../engine/secrets/keychain.ts'
import { systemKeychain } from '../keychain/of-system.ts'
import { agentSetupsOf } from './undo/agents.ts'
import { keychainEntriesOf, removeEntries } from './undo/keychain-entries.ts'
import { planUndo } from './undo/plan.ts'
import { refuseOther, removeHome } from './undo/remove-home.ts'
import { runUndo } from './undo/run.ts'
import { nodeInstalledSystem } from './node-system.ts'
import { installHere, type Install } from './install.ts'
import type { InstalledSystem } from './types.ts'

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
