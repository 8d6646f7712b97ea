import type { SetUpClient } from '../../../shared/setup/first-run.ts'

/** Something of Onward's outside its home, and how it goes. */
export type Undo = { undo(): Promise<void> } & (
  | { kind: 'agent'; client: SetUpClient; files: readonly string[] }
  | { kind: 'service'; title: string; file: string }
  | { kind: 'login'; where: string }
  | { kind: 'command'; path: string }
)

/** The steps that a person has to take themselves. */
export type LeftAlone =
  /** written to since, where Onward wrote; the old texts are kept in `backups` */
  | { kind: 'agent'; client: SetUpClient; files: readonly string[]; backups: readonly string[] }
  | { kind: 'service'; file: string }
  /** macOS forgets it with the app */
  | { kind: 'login' }

export interface UndoPlan {
  undoes: readonly Undo[]
  leaves: readonly LeftAlone[]
}
