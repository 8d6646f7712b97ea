/** Sentences and exit codes of the command line for errors. The table is printed by `onward --help`. */
import { OnwardError } from '../engine/base/errors.ts'

export const exitCodes = {
  ok: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed, or a check found something to mend' },
  usage: { code: 2, meaning: 'the command line was not understood' },
  noEngine: { code: 3, meaning: 'no engine runs for this home, or its machine can’t be reached' },
  refused: { code: 4, meaning: 'the engine refused, and said why; or a person has to confirm at a terminal' },
  notFound: { code: 5, meaning: 'no such session, terminal, alarm, check, entry, file or folder, or more than one' },
  engineRuns: { code: 6, meaning: 'another engine holds this home' },
  portTaken: { code: 7, meaning: 'the port is taken' },
  bound: { code: 10, meaning: '`run --headless`: rounds or a budget were used up, or a provider’s limit was reached' },
  checkFails: { code: 11, meaning: '`run --headless`: a check fails' },
  needsPerson: { code: 12, meaning: '`run --headless`: only a person can go on' },
  fault: { code: 13, meaning: '`run --headless`: Onward’s engine, its reviewer or the hand-over failed' },
  cannotRun: { code: 126, meaning: 'the agent was found but can’t be started' },
  noProgram: { code: 127, meaning: 'the agent was not found' },
} as const
export type ExitName = keyof typeof exitCodes

/** A failure the command line words itself; `hint` is the line that says what to do. */
export class CliError extends OnwardError {
  readonly exit: ExitName
  readonly hint: string | null

  constructor(exit: ExitName, message: string, options: { hint?: string | null; cause?: unknown; code?: string } = {}) {
    super(options.code ?? `cli-${exit}`, message, { cause: options.cause })
    this.name = 'CliError'
    this.exit = exit
    this.hint = options.hint ?? null
  }
}

/** A command that ends well before its end: the words it ends with, and what `--json` prints in their place. */
export class EndsWell extends Error {
  constructor(
    readonly said: string,
    readonly json: object,
  ) {
    super(said)
  }
}

/** Codes of the engine that mean "there is none, or more than one", by their last word. */
const lookedForInVain = /^unknown-provider$|-(unknown|ambiguous|not-found|gone)$/

/** Of a line to another machine, where not `noEngine`. */
const ofMachines: Readonly<Record<string, ExitName>> = {
  'machine-name': 'usage',
  'machine-target': 'usage',
  'machine-program': 'usage',
  'machine-exists': 'refused',
  'machine-unknown': 'notFound',
  'machine-contract': 'failed',
  'machine-has-onward': 'refused',
  'machine-install-changed': 'refused',
  'machine-install-failed': 'failed',
  'machine-no-node': 'refused',
  'machine-platform': 'refused',
  'machine-problem': 'failed',
  'machines-file': 'failed',
}

/** Of a fleet, where nothing can be asked now. */
const offline: ReadonlySet<string> = new Set(['fleet-engine-away', 'fleet-hub-away', 'fleet-silent'])

export function exitOf(error: unknown): number {
  if (error instanceof CliError) return exitCodes[error.exit].code
  if (!OnwardError.isInstance(error)) return exitCodes.failed.code
  if (error.code === 'program-not-found') return exitCodes.noProgram.code
  if (error.code.startsWith('machine')) return exitCodes[ofMachines[error.code] ?? 'noEngine'].code
  if (offline.has(error.code)) return exitCodes.noEngine.code
  if (error.code === 'ended-at-once') return exitCodes.failed.code
  return lookedForInVain.test(error.code) ? exitCodes.notFound.code : exitCodes.refused.code
}
