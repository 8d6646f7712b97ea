/** The parts of an installed Onward outside its home, on the machine of one person. */
import type { CommandState, LoginState } from '../../shared/commands/shell-calls.ts'
import type { ServiceSystem } from '../cli/service/types.ts'

/** The parts of this machine that are touched; handed in, so that every system's way is tested on any of them. */
export interface InstalledSystem extends ServiceSystem {
  /** null: it is no link, or not there */
  linkTarget(path: string): Promise<string | null>
  /** makes missing folders. @returns the outermost folder it made, null: none */
  link(target: string, path: string): Promise<string | null>
  makeExecutable(path: string): Promise<void>
  /** false: it is not there, or not this person's to write in */
  canWriteIn(folder: string): Promise<boolean>
}

/** The app at login. */
export interface LoginItem {
  /** the system's current answer, never the wish */
  read(): Promise<LoginState>
  /** @throws OnwardError with the reason */
  set(on: boolean): Promise<void>
}

/** The `onward` command. */
export interface CommandItem {
  read(): Promise<CommandState>
  /** @throws OnwardError `command-foreign` where something else has its place */
  install(): Promise<void>
  remove(): Promise<void>
}
