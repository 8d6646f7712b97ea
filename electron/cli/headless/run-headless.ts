/** Keeps an agent going to its goal where there is no terminal: in CI, in a job of a cluster, in a script. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { excerpt } from '../../../shared/sentences/excerpt.ts'
import type { ClientKind } from '../../../shared/words.ts'
import { systemClock, pause } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import { inherited, readProc } from '../../engine/control/mcp/inherited.ts'
import { findRunningEngine, hasEnded } from '../../engine/control/attach.ts'
import { processLives } from '../../engine/assembly/terminals/terminal-lives.ts'
import { besideProxy } from '../../engine/terminals/agents/beside-proxy.ts'
import { namedPrint, nextPrint, printingAgents } from '../../engine/terminals/agents/print.ts'
import { stayConnected } from '../../engine/terminals/host/stay-connected.ts'
import { createTerminalHost } from '../../engine/terminals/host/terminal-host.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { openEngineLog } from '../../hosts/engine-log.ts'
import type { Cli } from '../cli.ts'
import { withControl, type ControlCalls, type EngineTarget } from '../client.ts'
import { CliError } from '../exit.ts'
import { ensureEngine, leftRunning, type FoundEngine } from '../launch/background-engine.ts'
import { endLike, statusOf } from '../launch/ending.ts'
import { findProgram } from '../launch/find-program.ts'
import { spawnAgent } from '../launch/spawn-agent.ts'
import { oneLine } from '../output/clean.ts'
import { facts } from '../output/columns.ts'
import { styleOf } from '../output/style.ts'
import type { Place } from '../place.ts'
import { headlessAgent } from './headless-agent.ts'
import { junitOf } from './junit.ts'
import { summaryOf, type Facts, type Summary } from './summary.ts'
import { report, rested, untilOver } from './watch-run.ts'

export interface HeadlessRun {
  client: ClientKind
  program: string
  args: readonly string[]
  install: string
  name?: string | undefined
  place: Place
  /** null: what markers in the prompt say */
  goal: { text: string; rounds: number | null | undefined; review: boolean } | null
  /** names of checks of the folder, or commands: whoever wrote this line lets them run */
  checks: readonly string[]
  junit?: string | undefined
  summary?: string | undefined
  json: boolean
}

const breaking = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** a busy engine takes its time to accept a terminal */
const ONLINE_MS = 20_000
/** once its last answer is out */
const ENGINE_ENDS_MS = 15_000

export async function runHeadless(order: HeadlessRun, cli: Cli): Promise<void> {
  const { client, place } = order
  const program = await programOf(order, cli)
  const args = namedPrint(client, order.args, randomUUID())
  const told = new AbortController()
  const listeners = breaking.map((signal) => [signal, () => told.abort(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const engine = await ensureEngine(place, cli)
  const at: { engine: EngineTarget } = { engine }
  const { log, dispose: closeLog } = await openEngineLog(place.home)
  try {
    const ran = await runOn(at, { ...order, args }, { program, told: told.signal, log }, cli)
    const sentences = await cli.parts.sentencesOf(ran.language)
    const summary = summaryOf(ran.facts, sentences)
    cli.err(order.json ? `${JSON.stringify(summary)}\n` : summaryText(summary, cli))
    write(order.summary, `${JSON.stringify(summary, null, 2)}\n`, cli)
    write(order.junit, junitOf(summary), cli)
    if (engine.started) await endEngine(engine, place, cli)
    end(ran.facts, summary, cli)
  } catch (error) {
    if (engine.started) await endEngine(engine, place, cli)
    throw error
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener)
    await closeLog()
  }
}

/** @throws CliError before anything is started: such a run could not be gone on with */
async function programOf({ client, program, args, install }: HeadlessRun, cli: Cli): Promise<string> {
  const name = oneLine(program)
  if (!printingAgents.includes(client))
    throw new CliError(
      'usage',
      `${name} can’t be kept going without a terminal: how it goes on with a conversation there is not known.`,
      { hint: `Known are ${printingAgents.join(', ')}.`, code: 'headless-unknown-agent' },
    )
  if (nextPrint(client, [program, ...namedPrint(client, args, randomUUID())], 'any') === null)
    throw new CliError(
      'usage',
      `With these words ${name} can’t be kept going: this is no run that prints and ends, ` +
        'or one of its options is not known, or not possible the next time.',
      { hint: `As in: ${examples[client] ?? ''}`, code: 'headless-arguments' },
    )
  const found = await findProgram(program, cli)
  if (found) return found
  throw new CliError('noProgram', `${name} was not found, neither on this PATH nor on the login shell’s.`, {
    hint: install,
  })
}

const examples: Partial<Record<ClientKind, string>> = {
  claude: 'onward run --headless -- claude -p "fix the tests"',
  codex: 'onward run --headless -- codex exec "fix the tests"',
  opencode: 'onward run --headless -- opencode run "fix the tests"',
  qwen: 'onward run --headless -- qwen "fix the tests"',
}

interface Parts {
  program: string
  told: AbortSignal
  log: Awaited<ReturnType<typeof openEngineLog>>['log']
}
interface Ran {
  facts: Facts
  language: 'en' | 'zh-CN'
}

async function runOn(at: { engine: EngineTarget }, order: HeadlessRun, parts: Parts, cli: Cli): Promise<Ran> {
  const { client, args, place } = order
  const { program, told, log } = parts
  const clock = systemClock('awake')
  const startedAt = cli.now()
  const hostId = randomUUID()
  const inside = order.checks.length > 0 ? await inherited({ env: cli.env, ppid: process.ppid }, readProc) : null
  const { plan, earlier, language } = await withControl(at.engine, async (calls) => ({
    // An agent that could let checks run would free itself of what it has to pass.
    nobody: inside && refuseAgent(await calls.terminalOf.query(inside)),
    plan: await calls.registerTerminal.mutate({
      client,
      args: [...args],
      cwd: cli.cwd,
      name: order.name,
      place: { kind: 'headless', hostId },
    }),
    earlier: await calls.sessions.query(),
    language: (await calls.status.query()).language,
  }))
  const { terminalId } = plan
  for (const source of plan.elsewhere ?? [])
    note(cli, `${oneLine(source)} wins over Onward: the calls of ${oneLine(order.program)} may not come through it.`)
  const online = new AbortController()
  const agent = headlessAgent({
    terminalId,
    client,
    argv: [program, ...plan.argv.slice(1)],
    env: { ...cli.env, ...besideProxy(cli.env), ...plan.env },
    cwd: cli.cwd,
    log,
    run: spawnAgent,
    conversation: () =>
      withControl(at.engine, (calls) => calls.session.query(terminalId)).then(({ id }) =>
        id === terminalId ? null : id,
      ),
    onEngine: () => online.abort(),
  })
  const noPty = () => {
    throw new Error('a host without a screen opens nothing')
  }
  const host = createTerminalHost({ hostId, pid: process.pid, openPty: noPty, clock, log, onCount: () => undefined })
  host.adopt(agent, {
    terminalId,
    client,
    argv: [...plan.argv],
    env: {},
    cwd: cli.cwd,
    cols: agent.cols,
    rows: agent.rows,
  })
  const link = stayConnected({ home: place.home, host, clock, log })
  /** checks that are there for this run alone */
  const declared: string[] = []
  try {
    await pause(clock, ONLINE_MS, AbortSignal.any([online.signal, told]))
    if (!online.signal.aborted && !told.aborted)
      throw new CliError('fault', 'The engine does not take this run as a terminal of its own.', {
        hint: 'See `onward logs` and `onward doctor`.',
        code: 'headless-offline',
      })
    await withControl(at.engine, (calls) => prepare(calls, terminalId, order, declared))
    const outcome = await untilOver(at, { agent, terminalId, place, told, startedAt })
    agent.finish()
    const found = await report(at, terminalId, outcome, told).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the engine could not be asked for a summary')
      return null
    })
    const { session = null, rounds = [], checks: results = [] } = found ?? {}
    const called = session !== null && session.id !== terminalId
    const before = earlier.find(({ id }) => id === session?.id) ?? null
    const more = { client, folder: cli.cwd, startedAt, endedAt: cli.now(), last: agent.last, before, called }
    return { facts: { outcome, session, rounds, checks: results, ...more }, language }
  } finally {
    agent.finish()
    agent.stop()
    await rested(agent)
    await withControl(at.engine, async (calls) => {
      for (const name of declared) await calls.forgetCheck.mutate({ session: terminalId, name })
      agent.close()
      const ending = { signal: null, asked: 'told', resumes: false } as const
      await calls.terminalEnded.mutate({ terminalId, exitCode: agent.last && statusOf(agent.last), ending })
    }).catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the engine was not told of the end'))
    link.dispose()
    host.dispose()
  }
}

function refuseAgent(terminal: string | null): void {
  if (terminal !== null)
    throw new CliError('refused', 'An agent that Onward started can’t let checks run: --check is a person’s word.', {
      hint: 'Leave --check out; checks that a person approved are run all the same.',
      code: 'check-by-agent',
    })
}

/** The goal and the checks, before the agent begins. */
async function prepare(
  calls: ControlCalls,
  terminalId: string,
  { goal, checks }: HeadlessRun,
  declared: string[],
): Promise<void> {
  if (goal)
    await calls.setStopMessage.mutate({
      session: terminalId,
      text: goal.text,
      review: goal.review,
      ...(goal.rounds !== undefined && { rounds: goal.rounds }),
    })
  for (const wanted of checks) {
    const known = (await calls.checks.query(terminalId)).checks.find(({ name }) => name === wanted)
    if (known) {
      if (known.approval !== 'approved')
        await calls.approveCheck.mutate({ session: terminalId, name: wanted, argv: [...known.argv] })
      continue
    }
    await calls.declareCheck.mutate({ session: terminalId, name: wanted, command: wanted })
    declared.push(wanted)
  }
}

/** The engine that was started for this run goes with it, unless another agent uses it by now. */
async function endEngine(engine: FoundEngine, place: Place, cli: Cli): Promise<void> {
  const { pid } = engine.info
  const others = await withControl(engine, (calls) => calls.terminals.query()).then(
    (all) => all.some(({ alive }) => alive),
    () => false,
  )
  if (others) return note(cli, leftRunning(engine, cli))
  const findRunning = () => findRunningEngine(place.home)
  if ((await findRunning())?.pid !== pid) return
  process.kill(pid, 'SIGTERM')
  const watch = { clock: systemClock('awake'), findRunning, alive: processLives }
  if (!(await hasEnded(pid, ENGINE_ENDS_MS, watch))) note(cli, leftRunning(engine, cli))
}

function end({ outcome, last }: Facts, { exitCode }: Summary, cli: Cli): void {
  if (outcome.code === 'told') return endLike({ exitCode: null, signal: outcome.signal }, cli)
  if (last?.signal && exitCode === statusOf(last)) return endLike(last, cli)
  cli.exitWith(exitCode)
}

function write(path: string | undefined, text: string, cli: Cli): void {
  if (path === undefined) return
  try {
    writeFileSync(resolve(cli.cwd, path), text)
  } catch (error) {
    note(cli, `${oneLine(path)} can’t be written: ${whyFailed(error)}.`)
  }
}

const note = (cli: Cli, text: string): void => cli.err(`onward: ${text}\n`)

/** Lines for the log of a job, after all that the agent said. */
function summaryText({ reason, goal, rounds, checks, usage, reviewer, ...rest }: Summary, cli: Cli): string {
  const { quiet } = styleOf({ env: cli.env, tty: { ...cli.tty, out: cli.tty.err } })
  const spent = ({ input, output, costUsd, unpricedTokens }: Summary['usage']) =>
    `${input} tokens in, ${output} out` +
    (costUsd === null ? '' : `, ${unpricedTokens ? 'at least ' : ''}$${costUsd.toFixed(4)}`)
  return `${quiet('onward:')} ${oneLine(reason).replace(/\.+$/, '')}.\n${facts(
    [
      ...(goal ? [[goal.review ? 'Goal' : 'Message', excerpt(oneLine(goal.text), 200)] as const] : []),
      ...(goal ? [['Rounds', `${goal.used} of ${goal.max ?? '∞'}`] as const] : []),
      ...rounds.flatMap(({ round, found }) => (found === null ? [] : [[`Round ${round}`, found] as const])),
      ...checks.map(
        ({ name, outcome, say }) => ['Check', `${name}: ${outcome}${say === '' ? '' : `, ${say}`}`] as const,
      ),
      ['Spent', spent(usage)],
      ...(reviewer.input + reviewer.output > 0 ? [['Reviewer', spent(reviewer)] as const] : []),
      ['Took', `${Math.round(rest.seconds)} s`],
      ['Exit code', String(rest.exitCode)],
    ],
    quiet,
  )}`
}
