import type { Config } from '../../../shared/config/schema.ts'
import type { Disposable } from '../base/disposable.ts'
import type { ConfigEdit } from './edit-text.ts'

export type { ConfigEdit }

/** One thing that is wrong in a config text, and where. Line and column count from 1. */
export interface ConfigProblem {
  line: number
  column: number
  /** e.g. `providers.glm.baseUrl`; empty for the whole file */
  path: string
  message: string
}

export interface ConfigCheck {
  ok: boolean
  problems: readonly ConfigProblem[]
}

export type KeyValue = { ok: true; value: string } | { ok: false; why: string }

/** The running config. An invalid edit changes `problem` and nothing else. */
export interface ConfigHandle {
  readonly path: string
  current(): Config
  /** one sentence that says what is wrong in the file and where; null while the file is what runs */
  problem(): string | null
  /** the same sentence where nothing may run: the file was wrong from the start, and there is no good copy of one */
  refusal(): string | null
  /** told after `current` or `problem` changed */
  onChange(listener: () => void): Disposable
  check(text: string): ConfigCheck
  /** value of a provider's key, or why there is none. Never log it. */
  key(providerId: string, alias: string): KeyValue
  /** reads the file and all secrets again now, e.g. after a secret was stored; resolves when done */
  reload(): Promise<void>
  /**
   * Changes the file, comments and layout kept; what it says runs when this resolves.
   * @throws OnwardError `config-invalid` | `config-changed` | `store-failed`; then nothing was written
   */
  edit(edits: readonly ConfigEdit[]): Promise<void>
  /**
   * Takes back the last edit made here, as long as the file is as that left it. @throws as `edit`, and
   * `nothing-to-undo`
   */
  undo(): Promise<void>
  /** when the file was last changed from here; null: not in this run */
  savedAt(): number | null
  canUndo(): boolean
  dispose(): void
}

/** What config reading does to the disk. */
export interface ConfigFiles {
  /** null when there is no such file */
  read(path: string): Promise<Buffer | null>
  /** atomic and durable; through a link to its target, whose mode stays. A new file is for its owner only. */
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** differs whenever the file was written or replaced; null when there is none */
  stamp(path: string): Promise<string | null>
  /** a link is there, and what it leads to is not */
  leadsNowhere(path: string): Promise<boolean>
  /** calls back with the name of what changed in the folder, where the system tells it; `onFail` when it can't go on */
  watch(folder: string, onChange: (name: string | null) => void, onFail: (error: unknown) => void): Disposable
}
