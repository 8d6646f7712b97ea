import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import type { LaunchPlan } from '../../../../../shared/operations/terminals.ts'
import type { RecordEvent } from '../../../../../shared/events.ts'
import type { TerminalChunk, TerminalView } from '../../../../../shared/state.ts'
import type { Clock } from '../../../base/clock.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { ConfigHandle } from '../../../config/types.ts'
import { keepsLogin } from '../../../discovery/find-access.ts'
import type { EngineHost } from '../../../host.ts'
import type { NewTerminal, Terminal, PaneRef } from '../../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../../sessions/binding/terminals-registry.ts'
import { agents } from '../../../terminals/agents/index.ts'
import { besideProxy } from '../../../terminals/agents/beside-proxy.ts'
import type { Launch, LaunchInput } from '../../../terminals/agents/types.ts'
import type { HostHub } from '../../../terminals/host/hub.ts'
import { signalFile } from '../../../terminals/signals/signals.ts'
import { launchFolder, readPersonsFile, removeLaunchFiles, writeLaunchFiles } from '../../../terminals/launch-files.ts'
import type { TmuxPanes } from '../../../terminals/tmux/index.ts'
import type { FindTarget } from '../../../terminals/types.ts'
import type { Revive } from '../../../servertools/revive/index.ts'
import { createAnswerDialog } from './answer-dialog.ts'
import { writtenFolder } from './written-folder.ts'

export interface TerminalsApiDeps {
  host: EngineHost
  config: Pick<ConfigHandle, 'current'>
  baseUrl(): string
  registry: TerminalsRegistry
  hub: HostHub
  /** the name of the next session in a folder; null: the folder has none */
  nameAhead(cwd: string): string | null
  /** what tmux knows of a pane. @throws OnwardError `pane-unknown` */
  describePane(place: { socket: string; paneId: string }): Promise<PaneRef>
  watchPane: TmuxPanes['watch']
  view(terminalId: string): TerminalView
  findTarget: FindTarget
  record: RecordEvent
  /** makes the watch for questions look at once, after something was done in the terminal */
  checkNeeds(terminalId: string): Promise<void>
  /** its screen without its words */
  report(terminal: Terminal): Promise<string>
  /** what becomes of a terminal whose agent ended */
  launcherAsks: Revive['launcherAsks']
}

/** The process that hosts the dashboard's terminals. */
const HOSTED = 'hosted'
const HOST_START_MS = 10_000

export function terminalsApi(deps: TerminalsApiDeps) {
  const { host, registry, hub } = deps

  const known = (terminalId: string) => knownTerminal(registry, terminalId)

  return {
    async openTerminal(input: Input<'openTerminal'>) {
      await ensureHost(deps)
      const cwd = writtenFolder(host, input.cwd)
      const program = await programOf(host, input, cwd)
      const fresh: NewTerminal = {
        kind: 'pty',
        home: 'hosted',
        client: input.client,
        name: input.name ?? deps.nameAhead(cwd) ?? nameOf(input.client, input.args),
        named: input.name !== undefined,
        cwd,
        command: commandOf(input.client, input.args),
        hostId: HOSTED,
      }
      const { terminal, key } = await registry.register(fresh)
      try {
        const plan = await launch(deps, terminal, { args: input.args, key, cwd })
        const persons = { ...present(host.env), ...input.env }
        const env = {
          ...persons,
          TERM: 'xterm-256color',
          COLORTERM: 'truecolor',
          ...besideProxy(persons),
          ...plan.env,
        }
        const { pid } = await hub.open(HOSTED, {
          terminalId: terminal.terminalId,
          client: input.client,
          argv: [program, ...plan.argv.slice(1)],
          env: withoutOuterTerminal(env),
          cwd,
          cols: input.cols,
          rows: input.rows,
        })
        registry.describe(terminal.terminalId, { agentPid: pid })
        const opened = { terminalId: terminal.terminalId, program: basename(program), ms: input.watchMs ?? 0 }
        const failed = opened.ms > 0 ? await endedAtOnce({ clock: host.clock, hub }, opened) : null
        if (failed) throw failed
      } catch (error) {
        await registry.end(terminal.terminalId, null, 'it could not be started')
        await registry.forget(terminal.terminalId)
        throw error
      }
      return deps.view(terminal.terminalId)
    },
    async registerTerminal(input: Input<'registerTerminal'>): Promise<LaunchPlan> {
      const { place } = input
      const pane = place.kind === 'tmux' ? await deps.describePane(place) : null
      const { terminal, key } = await registry.register({
        kind: pane ? 'tmux' : 'pty',
        home: pane ? 'pane' : place.kind === 'acp' ? 'acp' : 'wrapped',
        client: input.client,
        name: input.name ?? deps.nameAhead(input.cwd) ?? nameOf(input.client, input.args),
        named: input.name !== undefined,
        cwd: input.cwd,
        command: commandOf(input.client, input.args),
        pane,
        hostId: 'hostId' in place ? place.hostId : null,
        ...(place.kind === 'headless' && { headless: true }),
        daemonId: input.daemonId ?? null,
      })
      // Nothing can be typed into a pipe: its client is still served by its key, without a scope.
      if (place.kind === 'none') await registry.end(terminal.terminalId, null, 'it runs without a terminal')
      const { argv, env, elsewhere = [] } = await launch(deps, terminal, { args: input.args, key, cwd: input.cwd })
      const { revive } = deps.config.current().goal
      return { terminalId: terminal.terminalId, argv, env, elsewhere, ...(revive && { startsAgain: true }) }
    },
    terminalOf: async (from) => terminalOf(registry, from),
    async terminalEnded({ terminalId, exitCode, ending = null }) {
      const again = deps.launcherAsks({ terminalId: known(terminalId).terminalId, exitCode, ending })
      if (again) return again
      await registry.end(terminalId, exitCode, 'the agent ended')
      // for a terminal of kind `none`, which counted as ended while it ran
      await removeLaunchFiles(host.home, terminalId)
      return null
    },
    async closeTerminal(terminalId) {
      const terminal = known(terminalId)
      // Onward ends only what it started itself.
      if (terminal.home !== 'hosted')
        throw new OnwardError('not-ours', 'Onward did not start this terminal. End the agent where it runs.', {
          status: 409,
        })
      hub.close(terminalId)
    },
    renameTerminal: ({ terminalId, name }) => registry.rename(known(terminalId).terminalId, name),
    reportScreen: async (terminalId) => deps.report(known(terminalId)),
    async writeTerminal({ terminalId, data }) {
      hub.write(known(terminalId).terminalId, data)
    },
    async resizeTerminal({ terminalId, cols, rows }) {
      // A wrapped terminal has the size of the person's own window.
      if (known(terminalId).home === 'hosted') hub.resize(terminalId, cols, rows)
    },
    answerDialog: createAnswerDialog({
      clock: host.clock,
      known,
      findTarget: deps.findTarget,
      write: (terminalId, data) => hub.write(terminalId, data),
      record: deps.record,
      checkNeeds: deps.checkNeeds,
    }),
    watchTerminal(id, signal) {
      const { terminalId, pane, endedAt, exitCode } = known(id)
      if (!pane) return hub.watch(terminalId, signal)
      // Another agent may be in the pane by now.
      return endedAt === null ? deps.watchPane({ terminalId, pane }, signal) : endedScreen(exitCode)
    },
  } satisfies Partial<ControlApi>
}

async function launch(
  { host, config, baseUrl }: TerminalsApiDeps,
  { terminalId, client }: Terminal,
  { cwd, ...input }: Pick<LaunchInput, 'args' | 'key' | 'cwd'>,
): Promise<Launch> {
  const plan = agents[client].launch({
    ...input,
    cwd,
    baseUrl: baseUrl(),
    folder: launchFolder(host.home, terminalId),
    read: (path) => readPersonsFile(cwd, path),
    platform: process.platform,
    root: process.getuid?.() === 0,
    keepsLogin: keepsLogin(config.current()),
    ...(config.current().stopMessage.hooks && { signalFile: signalFile(host.home) }),
    ...(config.current().goal.revive && { conversation: host.random.uuid() }),
  })
  await writeLaunchFiles(plan)
  return plan
}

/** Checked before anything is registered: a program that doesn't exist leaves no terminal. */
async function programOf(host: EngineHost, { client, args, env }: Input<'openTerminal'>, cwd: string): Promise<string> {
  const program = (client === 'other' ? args[0] : agents[client].programs[0]) ?? ''
  const path = await host.findProgram(program, env?.PATH === undefined ? undefined : { path: env.PATH, cwd })
  if (path === null)
    throw new OnwardError(
      'program-not-found',
      `${program} was not found, neither on your PATH nor on that of your login shell. Install it, or name its path.`,
      { details: { program }, status: 404 },
    )
  return path
}

function knownTerminal(registry: TerminalsRegistry, terminalId: string): Terminal {
  const terminal = registry.get(terminalId)
  if (terminal) return terminal
  throw new OnwardError('terminal-unknown', `No terminal ${terminalId} is known. \`onward terminals\` lists them.`, {
    status: 404,
  })
}

async function ensureHost({ host, hub }: TerminalsApiDeps): Promise<void> {
  if (hub.connected(HOSTED)) return
  host.startPtyHost(HOSTED)
  if (!(await hub.whenConnected(HOSTED, HOST_START_MS)))
    throw new OnwardError('pty-host', 'The process that hosts terminals did not start. `onward doctor` tells more.', {
      status: 503,
      retryable: true,
    })
}

async function* endedScreen(exitCode: number | null): AsyncIterable<TerminalChunk> {
  yield { type: 'exit', exitCode }
}

const nameOf = (client: string, args: readonly string[]): string =>
  client === 'other' ? (args[0]?.split('/').at(-1) ?? 'terminal') : client
const commandOf = (client: string, args: readonly string[]): string =>
  client === 'other' ? args.join(' ') : [client, ...args].join(' ')

function present(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** A hosted terminal stands in no tmux and no other terminal, whatever the engine was started in. */
function withoutOuterTerminal(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !/^(TMUX|TMUX_PANE|STY|WINDOWID|TERM_SESSION_ID|COLUMNS|LINES|ELECTRON_RUN_AS_NODE|ONWARD_(HOME|PORT))$/.test(
          name,
        ),
    ),
  )
}

interface AtOnceDeps {
  clock: Clock
  hub: Pick<HostHub, 'watch'>
}

/** its last lines, and so many characters of them */
const LINES = 3
const CHARACTERS = 400
/** its host answers in milliseconds; without an answer the failure is reported without the agent's words */
const SCREEN_MS = 1_000

/**
 * Watches a terminal that was just opened for `ms` milliseconds: a wrong option or a missing login ends an agent at
 * once, and its message about that is gone with its screen.
 * @returns the failure in its own words; null: it runs, or it ended well
 */
async function endedAtOnce(
  deps: AtOnceDeps,
  { terminalId, program, ms }: { terminalId: string; program: string; ms: number },
): Promise<OnwardError | null> {
  const seen = await watch(deps, terminalId, ms)
  if (seen.exitCode === undefined || seen.exitCode === 0) return null
  // If the end overtook the first screen, the next watch is answered with what the screen shows.
  const said = seen.said === '' ? (await watch(deps, terminalId, SCREEN_MS)).said : seen.said
  return failure(program, seen.exitCode, lastWords(said))
}

/** @returns what was drawn until its end, or within `ms`; `exitCode`: absent while it runs */
async function watch(
  { clock, hub }: AtOnceDeps,
  terminalId: string,
  ms: number,
): Promise<{ said: string; exitCode?: number | null }> {
  const enough = new AbortController()
  const timer = clock.after(ms, () => enough.abort())
  let said = ''
  try {
    for await (const chunk of hub.watch(terminalId, enough.signal)) {
      if (chunk.type === 'screen' || chunk.type === 'data') said += chunk.data
      if (chunk.type === 'exit') return { said, exitCode: chunk.exitCode }
    }
    return { said }
  } finally {
    timer.dispose()
  }
}

function failure(program: string, exitCode: number | null, words: string): OnwardError {
  const how = exitCode === null ? 'was ended at once' : `ended at once with ${exitCode}`
  return new OnwardError('ended-at-once', `${program} ${how}${words === '' ? '.' : `. It said: ${words}`}`, {
    details: { program, exitCode, words },
    status: 409,
  })
}

const lastWords = (said: string): string =>
  stripVTControlCharacters(said)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-LINES)
    .join(' / ')
    .slice(-CHARACTERS)

/** Finds the terminal that a program runs in, the nearest where they stand in each other; null: none. */
export function terminalOf(
  registry: Pick<TerminalsRegistry, 'byKey' | 'list' | 'alive'>,
  { keys, pids }: Input<'terminalOf'>,
): string | null {
  const byKey = keys.map(registry.byKey).find((found) => found !== null)
  if (byKey) return byKey.terminalId
  // One that was found has no key, and its pane may belong to the person's shell again.
  const living = registry.list().filter(registry.alive)
  const ofPid = (pid: number) => living.find(({ agentPid, pane }) => agentPid === pid || pane?.panePid === pid)
  return pids.map(ofPid).find((found) => found !== undefined)?.terminalId ?? null
}
