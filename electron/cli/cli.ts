/** Everything a command may touch. Commands get it handed in, so that tests run them in-process. */
import type { Sentences } from '../../shared/sentences/index.ts'
import type { InstallPlan, InstallStep } from '../../shared/machines.ts'
import type { Link, LinkOptions } from '../machines/open-link.ts'
import type { Machine } from '../machines/machine.ts'
import type { ClientKind, Language } from '../../shared/words.ts'
import type { PoliciesView } from '../../shared/policy/policy.ts'
import type { ConfigProblem } from '../engine/config/types.ts'
import type { InstalledParts } from '../installed/parts.ts'
import type { RunWrappedTerminal } from './launch/types.ts'
import type { ServiceSystem } from './service/types.ts'
import type { ServeDeps } from '../hosts/serve.ts'

export interface Cli {
  out(text: string): void
  err(text: string): void
  /** the status to end with, when it is not 0 */
  exitWith(status: number): void
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  platform: NodeJS.Platform
  version: string
  /** whether stdin, stdout and stderr are terminals, and how wide stdout is */
  tty: { in: boolean; out: boolean; err: boolean; columns: number }
  /** the argv that starts this program again */
  self: readonly string[]
  /** how the shell that called it calls it, for lines that a person is to type */
  command(): string
  /** epoch milliseconds */
  now(): number
  readStdin(): Promise<string>
  /** asks the person at the terminal; never called where there is none */
  askYesNo(question: string): boolean
  /** the same, for a whole line */
  askLine(question: string): string
  /** aborted by Ctrl C and the like, for commands that go on until then; asking for it changes what Ctrl C does */
  untilInterrupted(): AbortSignal
  /** ends this process by a signal, as the agent it ran ended */
  dieBy(signal: NodeJS.Signals): void
  parts: CliParts
}

/** Parts that are heavy, or differ between hosts; loaded only by the commands that need them. */
export interface CliParts {
  sentencesOf(language: Language): Promise<Sentences>
  /** `before`: what of a change from this text a policy refuses counts as well */
  checkConfig(text: string, before?: string): Promise<readonly ConfigProblem[]>
  /** the rules of an organisation on this machine, and what they hold in this text; null: there are none */
  policiesFor(text: string | null): Promise<PoliciesView | null>
  /** `home`: where code that is compiled already may be kept */
  serve(home: string): Promise<ServeDeps>
  serviceSystem(): Promise<ServiceSystem>
  installed(): Promise<InstalledParts>
  runWrapped: RunWrappedTerminal
  /** how an agent’s command line goes on with a conversation (electron/engine/terminals/agents/resume.ts) */
  resumeArgv(client: ClientKind, argv: readonly string[], id: string | null): Promise<string[] | null>
  /** a line to the engine of another machine (electron/machines); `home`: this machine's */
  openLink(machine: Machine, home: string, options?: LinkOptions): Promise<Link>
  /** this very Onward for machines that have none (electron/machines/install.ts) */
  installer(home: string): Promise<Installer>
  /** the other end of such a line: stdin and stdout lead to this machine's engine, until either side ends */
  relay(socket: string): Promise<void>
}

export interface Installer {
  plan(machine: Machine): Promise<InstallPlan>
  /** @param shown fingerprint of the plan that was agreed to */
  run(machine: Machine, shown: string): AsyncIterable<InstallStep>
}
