import type { ClientKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, emitter } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { FoundPane, PaneSource } from '../../sessions/binding/pane-lookup.ts'
import type { PaneRef } from '../../sessions/binding/terminal.ts'
import type { Suggestion } from '../agents/suggestion.ts'
import { clientInFront } from '../process/foreground.ts'
import { systemProcReader } from '../process/index.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import type { TypingSettings } from '../typing/port.ts'
import { createTypingTarget, type TypingTargetDeps } from '../typing/typing-target.ts'
import type { TypingTarget } from '../types.ts'
import { listPanes, readPane, type PaneFacts } from './pane-facts.ts'
import { panePort, whyNotOurs } from './pane-port.ts'
import { createPaneWatch, type PaneWatch } from './pane-watch.ts'
import { tmuxRunner, type RunTmux } from './run-tmux.ts'

export interface TmuxDeps {
  clock: Clock
  log: Log
  random: Random
  env: Readonly<Record<string, string | undefined>>
  /** for tests; else the system's */
  run?: RunTmux
  reader?: ProcReader | null
}

/** tmux panes as terminals. */
export interface TmuxPanes extends Disposable, PaneSource {
  /** a pane's screen, without its words. @throws OnwardError `tmux-silent`, `terminal-gone` */
  report(terminal: { client: ClientKind; command: string; pane: PaneRef }): Promise<string>
  /** `typing`: other durations than usual */
  target(terminal: {
    terminalId: string
    client: ClientKind
    command: string
    pane: PaneRef
    typing?: Partial<TypingSettings>
  }): TypingTarget & Pick<Suggestion, 'suggested'>
  /** what it shows, from now on: its screen first, then what changes; nothing in it is touched */
  watch: PaneWatch['watch']
  /** the result of the last reading, without asking */
  lastKnown(pane: PaneRef): 'alive' | 'gone'
  /** @returns why the pane is gone, null while it lives or tmux does not answer */
  whyGone(pane: PaneRef): Promise<string | null>
  /** @throws OnwardError `pane-unknown` */
  describe(place: { socket: string; paneId: string }): Promise<PaneRef>
  /** every pane with an agent in front, on the servers the engine knows of itself and on these */
  agents(sockets: readonly string[]): Promise<readonly FoundPane[]>
  /**
   * the agent in front in exactly this pane; null: there is none now. @throws OnwardError `pane-unknown`,
   * `pane-changed`
   */
  agentOf(place: { socket: string; paneId: string; pid: number }): Promise<FoundPane | null>
}

/** A pane is read this often while a caller waits for it to change; tmux sends no event by itself. */
const POLL_MS = 1_000

export function createTmux(deps: TmuxDeps): TmuxPanes {
  const { clock, log, random } = deps
  const run = deps.run ?? tmuxRunner(deps.env)
  const reader = deps.reader === undefined ? systemProcReader(process.platform) : deps.reader
  const watched = createPaneWatch({ run, clock, log })
  const gone = new Map<string, string>()
  const polls = new Set<Disposable>()
  const name = ({ socket, paneId, panePid }: PaneRef) => `${socket} ${paneId} ${panePid}`
  /** where a hand-started client's panes are looked for: the server the engine was started in, else the default one */
  const ownServer = deps.env.TMUX?.split(',')[0] || null

  const refOf = (facts: PaneFacts): PaneRef => ({
    socket: facts.socket,
    paneId: facts.paneId,
    panePid: facts.panePid,
    tmuxSession: facts.session,
  })
  const agentIn = async (facts: PaneFacts): Promise<FoundPane | null> => {
    const found = facts.dead ? null : await clientInFront(reader, facts.panePid)
    return (
      found && {
        kind: 'tmux',
        home: 'pane',
        client: found.client,
        name: facts.session,
        cwd: facts.cwd,
        command: found.program,
        pane: refOf(facts),
        tmuxSessionId: facts.sessionId,
      }
    )
  }
  const agentsIn = async (panes: readonly PaneFacts[]) =>
    (await Promise.all(panes.map(agentIn))).filter((pane) => pane !== null)

  const portOf = (client: ClientKind, command: string, pane: PaneRef) =>
    panePort({
      pane,
      client,
      command: command.split(' '),
      run,
      reader,
      random,
      onGone: (why) => gone.set(name(pane), why),
    })

  return {
    report: ({ client, command, pane }) => portOf(client, command, pane).report(),
    target({ terminalId, client, command, pane, typing }) {
      return paneTarget({ terminalId, typing, clock, log }, portOf(client, command, pane), polls)
    },
    watch: watched.watch,
    lastKnown: (pane) => (gone.has(name(pane)) ? 'gone' : 'alive'),
    async whyGone(pane) {
      const known = gone.get(name(pane))
      if (known !== undefined) return known
      const seen = await readPane(run, pane.socket, pane.paneId)
      if (seen.kind === 'unknown') return null
      const why = seen.kind === 'gone' ? `the tmux pane ${pane.paneId} is gone` : whyNotOurs(seen.facts, pane)
      if (why !== null) gone.set(name(pane), why)
      return why
    },
    async describe({ socket, paneId }) {
      const seen = await readPane(run, socket, paneId)
      if (seen.kind === 'there') return refOf(seen.facts)
      throw unknownPane({ socket, paneId }, seen.why)
    },
    async agents(sockets) {
      const servers = [...new Set([ownServer, null, ...sockets])]
      const panes = (await Promise.all(servers.map((server) => listPanes(run, server)))).flat()
      // the default server is asked by its name and by its socket
      const once = new Map(panes.map((facts) => [`${facts.socket} ${facts.paneId}`, facts]))
      return agentsIn([...once.values()])
    },
    async agentOf({ socket, paneId, pid }) {
      const seen = await readPane(run, socket, paneId)
      if (seen.kind !== 'there') throw unknownPane({ socket, paneId }, seen.why)
      if (seen.facts.panePid !== pid)
        throw new OnwardError(
          'pane-changed',
          `The tmux pane ${paneId} at ${socket} is another one now. List the panes again.`,
          { details: { paneId, socket }, status: 409 },
        )
      return agentIn(seen.facts)
    },
    async paneOfTty(tty, sockets) {
      for (const server of new Set([ownServer, ...sockets])) {
        const panes = await listPanes(run, server)
        const [found] = await agentsIn(panes.filter((p) => p.tty === tty))
        if (found) return found
      }
      return null
    },
    dispose() {
      watched.dispose()
      for (const timer of Array.from(polls)) timer.dispose()
    },
  }
}

/** @param polls timers under way, which their owner stops */
function paneTarget(
  deps: Omit<TypingTargetDeps, 'port' | 'onChange'>,
  port: ReturnType<typeof panePort>,
  polls: Set<Disposable>,
): TypingTarget & Pick<Suggestion, 'suggested'> {
  const { clock, log, terminalId } = deps
  const changes = emitter<void>((error) =>
    log.error({ terminalId, error: messageOf(error) }, 'a terminal listener failed'),
  )
  let timer: Disposable | null = null
  let last: string | null | undefined
  const stop = () => {
    if (timer) {
      timer.dispose()
      polls.delete(timer)
      timer = null
    }
  }
  const poll = () => {
    timer = clock.after(POLL_MS, () => {
      if (timer) polls.delete(timer)
      port
        .picture()
        .then(
          (picture) => {
            if (last !== undefined && picture !== last) changes.emit()
            last = picture
          },
          (error: unknown) => log.debug({ terminalId, error: messageOf(error) }, 'the pane could not be looked at'),
        )
        .finally(() => {
          if (changes.size > 0) poll()
          else timer = null
        })
    })
    polls.add(timer)
  }
  const target = createTypingTarget({
    ...deps,
    port,
    onChange(listener) {
      const held = changes.on(listener)
      if (timer === null) {
        last = port.lastPicture
        poll()
      }
      return {
        dispose() {
          held.dispose()
          if (changes.size === 0) stop()
        },
      }
    },
  })
  return {
    ...target,
    suggested(text) {
      port.suggestion.suggested(text)
      changes.emit()
    },
  }
}

const unknownPane = ({ socket, paneId }: { socket: string; paneId: string }, why: string): OnwardError =>
  new OnwardError('pane-unknown', `tmux has no pane ${paneId} at ${socket}: ${why}`, {
    details: { paneId, socket },
    status: 404,
  })
