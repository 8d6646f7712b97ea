import type { Disposable } from '../../base/disposable.ts'
import type { TypingTarget } from '../types.ts'
import type { PtySpec } from './messages.ts'

/** A PTY of this process with its headless screen (../pty): what a terminal host owns. */
export interface HostedPty extends TypingTarget, Disposable {
  readonly pid: number
  readonly cols: number
  readonly rows: number
  /** null while it runs */
  readonly ended: { exitCode: number | null; signal: string | null } | null
  /** its end was wanted: a person quit the program in it, or this process was told to end that */
  readonly asked: 'person' | 'told' | null
  /** keys of a person, as they come: they count for “in the middle of a line” */
  write(data: string): void
  resize(cols: number, rows: number): void
  kill(): void
  /** the next message that was suggested to its client; null: none any more (../agents/suggestion.ts) */
  suggested(text: string | null): void
  /** whether an engine is connected: without one no report of a request would come, so there is no second Enter */
  engineIs(there: boolean): void
  /** the screen without its words, for a stranger to look at (../screen/screen-report.ts) */
  report(): Promise<string>
  /** the screen and its scrollback as one text of escape sequences */
  snapshot(): string
  /** called when the screen shows it: `snapshot()` holds everything that was written until then, and nothing else */
  onData(listener: (data: string) => void): Disposable
  /** resized by a viewer, or by the person's own terminal */
  onResize(listener: () => void): Disposable
  onExit(listener: () => void): Disposable
  /** a person pasted several lines that may hold a marker; null: more than can be read */
  onPaste(listener: (text: string | null) => void): Disposable
}

/** @throws OnwardError `spawn-failed` with what to do */
export type OpenPty = (spec: PtySpec) => HostedPty
