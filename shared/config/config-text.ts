/** The config file as a text: its problems, the config that runs meanwhile, and the outcome of an edit. */

import type { ConfigFault } from './config-faults.ts'

/** One thing that is wrong in a config text, and where. Line and column count from 1. */
export interface ConfigProblem extends ConfigFault {
  line: number
  column: number
  /** e.g. `providers.glm.baseUrl`; empty for the whole file */
  path: string
  /** the same in English */
  message: string
}

/** The config that runs while the file is wrong; `nothing`: calls are refused, since no config was ever right here. */
export type Meanwhile = 'before' | 'copy' | 'nothing'

export interface ConfigTrouble {
  /** in the file's order, the first ones; none where the file can't be read at all, and `what` says why */
  problems: readonly ConfigProblem[]
  /** how many there are */
  total: number
  what: string | null
  /** the same as data */
  fault?: ConfigFault | null
  meanwhile: Meanwhile
  /** the last text that was right is there, and may take the file's place */
  canPutBack: boolean
}

export interface ConfigTextView {
  path: string
  /** null: there is no file */
  text: string | null
  /** of exactly this text; an edit names the one it began with */
  revision: string
  problems: readonly ConfigProblem[]
}

export type ConfigSaved =
  | ({ kind: 'saved' } & ConfigTextView)
  /** nothing was written: this is wrong in the text that was to be */
  | { kind: 'refused'; problems: readonly ConfigProblem[] }
  /** nothing was written: the file is another one by now, this one */
  | ({ kind: 'changed' } & ConfigTextView)
