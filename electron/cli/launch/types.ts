import type { LaunchPlan } from '../../../shared/operations/terminals.ts'
import type { Input } from '../../../shared/operations/index.ts'
import type { ClientKind } from '../../../shared/words.ts'

export type TerminalPlace = Input<'registerTerminal'>['place']

/** How a started program ended: one of the two is null. */
export interface Ending {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** the ending was wanted: a person quit it, or this launcher was told to end it */
  asked?: 'person' | 'told' | null
}

/**
 * The transparent PTY wrapper (electron/engine/terminals/host): raw bytes, resize and signals pass, the engine's death
 * harms nothing.
 */
export type RunWrappedTerminal = (order: {
  plan: LaunchPlan
  /** an ACP connection in place of a PTY */
  acp: boolean
  client: ClientKind
  hostId: string
  home: string
  cwd: string
  stdio: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }
}) => Promise<Ending>
