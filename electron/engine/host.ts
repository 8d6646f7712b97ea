import type { Notice } from '../../shared/state.ts'
import type { Disposable } from './base/disposable.ts'
import type { Clock } from './base/clock.ts'
import type { PolicySource } from './config/policy/source.ts'
import type { Random } from './base/ids.ts'
import type { Log } from './base/log.ts'
import type { MachineEdits, MachineSource } from './machine-source.ts'
import type { Keychain } from './secrets/keychain.ts'
import type { Files } from './store/types.ts'
import type { Transport } from './providers/types.ts'
import type { OpenLine } from './providers/via/line.ts'

/**
 * The parts that a host (desktop app or `onward serve`) gives the engine. The engine does no I/O of its own choosing.
 */
export interface EngineHost {
  /** Onward home, absolute */
  home: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  /** the system's service manager runs this process */
  service?: boolean
  clock: Clock
  random: Random
  log: Log
  files: Files
  transport: Transport
  /** rules of an organisation, which the config can't widen; left out: none */
  policies?: readonly PolicySource[]
  notify: Notify
  /** `notify` shows them to a person */
  showsNotices?: boolean
  /** the system's; left out: provider keys are kept in a file in the home that only its owner can read */
  keychain?: Keychain
  /** starts the process that hosts PTYs, apart from this one: it lives on when the engine ends */
  startPtyHost(hostId: string): void
  /** the machine does not go to sleep until what is returned is disposed of; left out: this host can't see to that */
  stayAwake?(onFailed: (why: string) => void): Disposable
  /** program and arguments of the demo's agent; left out: this host has none */
  demoAgent?(): readonly string[]
  /**
   * Finds a program on the engine's PATH, then on that of the login shell. `caller`: on the PATH of the caller first,
   * and below its folder. null: not found
   */
  findProgram(name: string, caller?: { path: string; cwd: string }): Promise<string | null>
  /**
   * PATH of the login shell, asked for once; null: it has none, or did not answer. Left out: programs have the engine's
   * own
   */
  loginPath?(): Promise<string | null>
  /** engines of other machines; left out: this host reaches none */
  machines?: MachineSource
  machineEdits?: MachineEdits
  /** A line of its own to one of them, for the providers it lends. @throws OnwardError why it can't be reached */
  lendLine?: OpenLine
  /** how a shell with this PATH calls this very program, for this home; null: its PATH is not known */
  command?(path: string | null): string
}

export type NoticeResult = { kind: 'shown' } | { kind: 'suppressed'; why: string } | { kind: 'failed'; why: string }
export type Notify = (notice: Notice) => Promise<NoticeResult>
