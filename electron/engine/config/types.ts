import type { Config } from '../../../shared/config/schema.ts'
import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../../shared/config/config-text.ts'
import type { PoliciesView } from '../../../shared/policy/policy.ts'
import type { Disposable } from '../base/disposable.ts'
import type { ConfigEdit, ConfigPath } from './edit-text.ts'

export type { ConfigEdit, ConfigPath, ConfigProblem, ConfigTrouble, Meanwhile }

/** Edits, or what they are for the file as it reads in the moment it is written. */
export type ConfigEdits = readonly ConfigEdit[] | ((now: Config) => readonly ConfigEdit[])

/** The file's text, and what names exactly this text. */
export interface ConfigText {
  /** null: there is no file */
  text: string | null
  revision: string
}

export type ConfigWritten =
  | ({ kind: 'saved' } & ConfigText)
  | { kind: 'refused'; problems: readonly ConfigProblem[] }
  | ({ kind: 'changed' } & ConfigText)

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
  /**
   * the sentence where nothing may run: the file was wrong from the start and there is no good copy of one, or a policy
   * was
   */
  refusal(): string | null
  /** what is wrong in the file, part by part */
  trouble(): ConfigTrouble | null
  /** the rules that hold here; null: none */
  policies(): PoliciesView | null
  /** of the file as it was last looked at, right or wrong */
  revision(): string
  /** called after `current`, `problem`, `trouble` or `revision` changed */
  onChange(listener: () => void): Disposable
  check(text: string): ConfigCheck
  /** value of a provider's key, or why there is none. Never log it. */
  key(providerId: string, alias: string): KeyValue
  /** value of a stored secret that `telemetry.headers` names, or why there is none. Never log it. */
  stored(ref: string): KeyValue
  /** reads the file and all secrets again now, e.g. after a secret was stored; resolves when done */
  reload(): Promise<void>
  /**
   * Changes the file, comments and layout kept; the new config runs when this resolves.
   * @throws OnwardError `config-invalid` | `config-changed` | `held-by-policy` | `store-failed`; then nothing was
   *   written
   */
  edit(edits: ConfigEdits): Promise<void>
  /**
   * Takes back the last edit made here, as long as the file is as that left it. @throws as `edit`, and
   * `nothing-to-undo`
   */
  undo(): Promise<void>
  /** the file as it is now. @throws OnwardError `config-invalid` (not in UTF-8) | `store-failed` */
  read(): Promise<ConfigText>
  /** puts a whole text in the file's place, if that is still `revision` and the text is right. @throws as `read` */
  save(text: string, revision: string): Promise<ConfigWritten>
  /**
   * Puts the last text that was right in the place of the one that is wrong, which is kept beside it. @returns where
   * @throws as `edit`, and `nothing-to-put-back`
   */
  putBack(): Promise<string>
  /** when the file was last changed from here; null: not in this run */
  savedAt(): number | null
  canUndo(): boolean
  /** what still refers to a stored secret; null where the file does not show it: it is wrong, or not there */
  naming(): ((secret: string) => 'config' | 'undo' | 'nothing') | null
  dispose(): void
}

/** The disk operations for reading the config. */
export interface ConfigFiles {
  /** null when there is no such file */
  read(path: string): Promise<Buffer | null>
  /** atomic and durable; through a link to its target, whose mode stays. A new file is for its owner only. */
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** copies the very bytes, for the owner only; false: there is a file of that name already */
  keep(path: string, as: string): Promise<boolean>
  /** differs whenever the file was written or replaced; null when there is none */
  stamp(path: string): Promise<string | null>
  /** a link is there, and what it leads to is not */
  leadsNowhere(path: string): Promise<boolean>
  /**
   * calls back with the name of each change in the folder, where the system reports it; `onFail` when it can't go on
   */
  watch(folder: string, onChange: (name: string | null) => void, onFail: (error: unknown) => void): Disposable
}
