/** All of it, for a program that has no Electron around it. */
import { systemClock } from '../engine/base/clock.ts'
import type { Keychain } from '../engine/secrets/keychain.ts'
import { systemKeychain } from '../keychain/of-system.ts'
import { agentSetupsOf } from './undo/agents.ts'
import { keychainEntriesOf, removeEntries } from './undo/keychain-entries.ts'
import { planUndo } from './undo/plan.ts'
import { refuseOther, removeHome } from './undo/remove-home.ts'
import { runUndo } from './undo/run.ts'
import { nodeInstalledSystem } from './node-system.ts'
import { programOf, type Program } from './program.ts'
import type { InstalledSystem } from './types.ts'

export interface InstalledParts {
  system: InstalledSystem
  program: Program
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
  const { platform, execPath, versions } = process
  return {
    system: nodeInstalledSystem(env),
    program: programOf({ platform, env, execPath, packaged: versions.electron !== undefined }),
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
