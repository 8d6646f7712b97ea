/** Starts an agent in the person's own terminal, pointed at Onward for that process only. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { LaunchPlan } from '../../../shared/operations/terminals.ts'
import type { ClientKind } from '../../../shared/words.ts'
import { messageOf, OnwardError } from '../../engine/base/errors.ts'
import { besideProxy } from '../../engine/terminals/agents/beside-proxy.ts'
import type { Cli } from '../cli.ts'
import { withControl, type EngineTarget } from '../client.ts'
import { findTarget } from '../engine.ts'
import { CliError } from '../exit.ts'
import { oneLine } from '../output/clean.ts'
import { styleOf } from '../output/style.ts'
import type { Place } from '../place.ts'
import { ensureEngine, leftRunning, type FoundEngine } from './background-engine.ts'
import { detectPlace } from './detect-place.ts'
import { statusOf } from './ending.ts'
import { findProgram } from './find-program.ts'
import { spawnAgent } from './spawn-agent.ts'
import type { Ending, TerminalPlace } from './types.ts'

/** as the engine answers */
interface Again {
  conversation: string | null
  waitMs: number
}

export interface LaunchOrder {
  client: ClientKind
  /** what is looked for on PATH */
  program: string
  /** after the program */
  args: readonly string[]
  cwd: string
  name?: string
  /** what to do when the program is missing */
  install: string
  /** what it does not start without */
  needs?: string
  /** start without Onward, without asking, when there is no engine */
  direct: boolean
  /** it speaks ACP with the program on our stdin and stdout */
  acp?: boolean
  place: Place
}

export async function launch(order: LaunchOrder, cli: Cli): Promise<Ending> {
  const program = await findProgram(order.program, { ...cli, cwd: order.cwd })
  if (!program)
    throw new CliError(
      'noProgram',
      `${oneLine(order.program)} was not found, neither on this PATH nor on the login shell’s.`,
      { hint: order.install },
    )
  const terminal: TerminalPlace = order.acp ? { kind: 'acp', hostId: randomUUID() } : await detectPlace(cli)
  let registered: { engine: FoundEngine; plan: LaunchPlan }
  try {
    registered = await register(order, program, terminal, cli)
  } catch (error) {
    if (!OnwardError.isInstance(error)) throw error
    agreeToGoWithout(order, cli, error)
    return spawnAgent({ argv: [program, ...order.args], env: cli.env, cwd: order.cwd })
  }
  const { engine, plan } = registered
  if (engine.started) note(cli, leftRunning(engine, cli))
  for (const source of plan.elsewhere ?? [])
    note(cli, `${oneLine(source)} wins over Onward: the calls of ${oneLine(order.program)} may not come through it.`)
  const ending = await runToItsEnd(engine, plan, terminal, order, cli)
  if (order.needs !== undefined && ending.exitCode === 1)
    note(cli, `${oneLine(order.program)} needs ${order.needs}; where it did not start, see \`node --version\`.`)
  return ending
}

async function register(
  order: LaunchOrder,
  program: string,
  terminal: TerminalPlace,
  cli: Cli,
): Promise<{ engine: FoundEngine; plan: LaunchPlan }> {
  const engine = await ensureEngine(order.place, cli)
  const args = order.client === 'other' ? [program, ...order.args] : [...order.args]
  const plan = await withControl(engine, (calls) =>
    calls.registerTerminal.mutate({ client: order.client, args, cwd: order.cwd, name: order.name, place: terminal }),
  )
  // as this terminal finds it: its PATH may differ from the engine's (nvm, a virtual environment)
  return { engine, plan: { ...plan, argv: [program, ...plan.argv.slice(1)] } }
}

/** An agent that ends by itself while a goal is set is started again here, where the engine says so. */
async function runToItsEnd(
  engine: FoundEngine,
  plan: LaunchPlan,
  terminal: TerminalPlace,
  order: LaunchOrder,
  cli: Cli,
): Promise<Ending> {
  const at: { engine: EngineTarget } = { engine }
  // A person who quits an agent with Ctrl C may press it once too often: the engine has to hear of the end first.
  for (const signal of breaking) process.on(signal, ignored)
  try {
    for (let { argv } = plan; ;) {
      const ending = await run({ ...plan, argv }, terminal, order, cli)
      const resumed = (id: string | null) => cli.parts.resumeArgv(order.client, argv, id)
      // who ends well is not started again
      const resumes = ending.exitCode !== 0 && (await resumed('any')) !== null
      const again = await reportEnd(at, plan, { ...ending, resumes }, order, cli)
      const next = again && (await resumed(again.conversation))
      if (!again || !next) return ending
      if (terminal.kind !== 'none') tidyUp(cli)
      note(cli, `${oneLine(order.program)} ended by itself and is started again in ${again.waitMs / 1_000} s.`)
      if (!(await waited(again.waitMs))) {
        await reportEnd(at, plan, { ...ending, asked: 'person', resumes: false }, order, cli)
        return ending
      }
      argv = next
    }
  } finally {
    for (const signal of breaking) process.off(signal, ignored)
  }
}

/**
 * What a killed agent leaves of its terminal: raw, on its other screen, with mouse, pastes and keys reported its way.
 */
function tidyUp(cli: Cli): void {
  if (cli.platform !== 'win32') spawnSync('stty', ['sane'], { stdio: ['inherit', 'ignore', 'ignore'] })
  const off = [1000, 1002, 1003, 1004, 1006, 2004, 1049].map((mode) => `\u001b[?${mode}l`).join('')
  cli.out(`\u001b[<u${off}\u001b[?25h\u001b[0m\r\n`)
}

const breaking = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
const ignored = () => undefined

/** @returns true if no signal broke it off */
function waited(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (whole: boolean) => {
      clearTimeout(timer)
      for (const signal of breaking) process.off(signal, stop)
      resolve(whole)
    }
    const stop = () => done(false)
    const timer = setTimeout(done, ms, true)
    for (const signal of breaking) process.on(signal, stop)
  })
}

function run(plan: LaunchPlan, terminal: TerminalPlace, order: LaunchOrder, cli: Cli): Promise<Ending> {
  if ('hostId' in terminal) {
    return cli.parts.runWrapped({
      plan,
      acp: terminal.kind === 'acp',
      client: order.client,
      hostId: terminal.hostId,
      home: order.place.home,
      cwd: order.cwd,
      stdio: { stdin: process.stdin, stdout: process.stdout },
    })
  }
  return spawnAgent({ argv: plan.argv, env: { ...cli.env, ...besideProxy(cli.env), ...plan.env }, cwd: order.cwd })
}

/** how long an ended agent's shell waits for the engine to hear of it */
const reportWithinMs = 1_500
/** where it would be started again, the next engine is waited for: so often, and so long between two (milliseconds) */
const ENGINE_TRIES = 20
const ENGINE_PAUSE_MS = 1_000

/**
 * The engine may be gone by now; that is its business, the agent's ending stands. @returns how it is started again;
 * null: it has ended
 */
async function reportEnd(
  at: { engine: EngineTarget },
  plan: LaunchPlan,
  ending: Ending & { resumes: boolean },
  { place, program }: LaunchOrder,
  cli: Cli,
): Promise<Again | null> {
  const most = plan.startsAgain && ending.resumes ? ENGINE_TRIES : 1
  for (let tries = 1; ; tries++) {
    const answer = await tellEnd(at.engine, plan, ending)
    if (typeof answer !== 'string') return answer
    if (tries === 1 && cli.tty.err) note(cli, `Onward’s engine was not told that the agent ended: ${answer}`)
    if (tries === most) return null
    if (tries === 1) note(cli, `${oneLine(program)} ended by itself. The engine is asked again; Ctrl C leaves it.`)
    if (!(await waited(ENGINE_PAUSE_MS))) return null
    at.engine = (await findTarget(place).catch(() => null)) ?? at.engine
  }
}

/** @returns what the engine says; in words why it was not told */
async function tellEnd(
  engine: EngineTarget,
  { terminalId }: LaunchPlan,
  { asked = null, resumes, ...ending }: Ending & { resumes: boolean },
): Promise<Again | null | string> {
  const report = withControl(engine, (calls) =>
    calls.terminalEnded.mutate({
      terminalId,
      exitCode: statusOf(ending),
      ending: { signal: ending.signal, asked, resumes },
    }),
  ).then(
    // an engine of an earlier version says nothing
    (again: Again | null | undefined) => again ?? null,
    (error: unknown) => messageOf(error),
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, reportWithinMs, 'it does not answer')
  })
  const answer = await Promise.race([report, late])
  clearTimeout(timer)
  return answer
}

/**
 * Says once, before the start, that nothing will keep this agent going. @throws the error when the person doesn't want
 * that
 */
function agreeToGoWithout(order: LaunchOrder, cli: Cli, error: OnwardError): void {
  const name = oneLine(order.program)
  if (order.direct) return note(cli, `${error.message} ${name} runs without Onward.`)
  if (cli.tty.in && cli.tty.err) {
    cli.err(`${styleOf(cli).shape('failed', '▲')} ${error.message}\n`)
    if (cli.askYesNo(`Start ${name} without Onward? [y/N] `)) return
    throw new CliError('noEngine', `${name} was not started.`, {
      hint: error instanceof CliError ? error.hint : null,
      cause: error,
    })
  }
  const hint = [error instanceof CliError ? error.hint : null, `To start it without Onward: --direct.`]
    .filter(Boolean)
    .join(' ')
  throw error instanceof CliError ? new CliError(error.exit, error.message, { hint, cause: error }) : error
}

/** One quiet line on stderr: stdout is the agent's. */
const note = (cli: Cli, text: string): void =>
  cli.err(`${styleOf({ env: cli.env, tty: { ...cli.tty, out: cli.tty.err } }).quiet(`onward: ${text}`)}\n`)
