/** One machine, followed over a line that comes back by itself. */
import type {
  CallThere,
  MachineFacts,
  MachineNotice,
  MachineState,
  MachineUpdate,
  MachineView,
} from '../../shared/machines.ts'
import type { EngineUpdate, SessionView, TerminalView } from '../../shared/state.ts'
import { pause, type Clock } from '../engine/base/clock.ts'
import type { Disposable } from '../engine/base/disposable.ts'
import { OnwardError, problemOf } from '../engine/base/errors.ts'
import type { Random } from '../engine/base/ids.ts'
import type { Machine } from './machine.ts'

/** What is asked of an engine over one line. */
export interface MachineStream {
  version: string
  /** ends with the line, or the signal */
  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  /** @throws OnwardError, as the engine there does; `engine-gone` with the line */
  call(what: Omit<CallThere, 'machine'>): Promise<unknown>
  /** a subscription; ends with the line, or the signal */
  watch(operation: string, input: unknown, signal: AbortSignal): AsyncIterable<unknown>
  /** settles when the line is gone, with why */
  lost: Promise<Error>
  close(): void
}

export interface FollowDeps {
  clock: Clock
  random: Random
  open(machine: Machine): Promise<MachineStream>
  /** hears of each change */
  tell?(update: MachineUpdate | MachineNotice): void
}

export interface FollowedMachine extends Disposable {
  view(): MachineView
  /** resolves when it was there once, or is known not to be */
  settled: Promise<void>
  /** @throws OnwardError why it can't be asked, or what it refused with */
  /** does not wait for its next try */
  retry(): void
  /** false: its notifications come here */
  beQuiet(quiet: boolean): void
  call: MachineStream['call']
  watch: MachineStream['watch']
}

const firstWaitMs = 1_000
const mostWaitMs = 60_000
/** a person has to do something there, or at ssh, before it can work */
const needsPerson: ReadonlySet<string> = new Set([
  'machine-auth-refused',
  'machine-contract',
  'machine-host-key',
  'machine-no-onward',
  'machine-no-ssh',
])
const forPersonMs = 5 * 60_000
/** a line that lasted so long was a good one: the waits begin anew */
const goodLineMs = 60_000
/** between the end of what it carried and that of the line */
const lostWithinMs = 1_000

/**
 * How long it is waited before the next try: twice as long each time, and never at the same moment as everybody else.
 * @param tries without a good line, this one not counted
 * @param fraction 0 to 1
 */
export function waitBefore(tries: number, code: string, fraction: number): number {
  const most = needsPerson.has(code) ? forPersonMs : Math.min(mostWaitMs, firstWaitMs * 2 ** Math.min(tries, 10))
  return Math.round(most * (0.8 + 0.4 * fraction))
}

/** The line is there, but what it leads to ended the connection. */
const silent = ({ name }: Machine): OnwardError =>
  new OnwardError('machine-engine-silent', `The engine on ${name} does not answer: it is busy, or it hangs.`)

/** Before its first turn a terminal stands for the session it will have. */
const freshOf = ({ alive, fresh }: TerminalView): SessionView | null => (alive && fresh ? fresh : null)

/** Begins at once, and goes on until it is disposed of. */
export function followMachine(machine: Machine, deps: FollowDeps): FollowedMachine {
  const { clock, random, open, tell = () => undefined } = deps
  const { name, target } = machine
  const over = new AbortController()
  let line: MachineStream | null = null
  let quiet = machine.quiet === true
  let waiting = new AbortController()
  let state: MachineState = { kind: 'connecting' }
  const sessions = new Map<string, SessionView>()
  let settle: () => void = () => undefined
  const settled = new Promise<void>((done) => {
    settle = done
  })

  const facts = (): MachineFacts => ({ name, target, state, ...(quiet && { quiet }) })
  const become = (next: MachineState) => {
    state = next
    tell({ type: 'machine', machine: facts() })
  }
  const put = (session: SessionView) => {
    sessions.set(session.id, session)
    tell({ type: 'machine-session', machine: name, session })
  }
  const drop = (id: string) => {
    if (sessions.delete(id)) tell({ type: 'machine-session-removed', machine: name, id })
  }
  const take = (update: EngineUpdate, version: string) => {
    if (update.type === 'session') put(update.session)
    else if (update.type === 'session-removed' || update.type === 'terminal-removed') drop(update.id)
    else if (update.type === 'terminal') {
      const fresh = freshOf(update.terminal)
      if (fresh) put(fresh)
      else drop(update.terminal.id)
    }
    // What it hears of others it keeps to itself: they are asked from here, or their people did not want that.
    else if (update.type === 'notice') {
      if (!quiet && update.notice.machine === undefined)
        tell({ type: 'machine-notice', machine: name, notice: { ...update.notice, machine: name } })
    } else if (update.type === 'snapshot') {
      const all = [...update.sessions, ...update.terminals.flatMap((terminal) => freshOf(terminal) ?? [])]
      const now = new Set(all.map(({ id }) => id))
      for (const id of sessions.keys()) if (!now.has(id)) drop(id)
      if (state.kind !== 'there') become({ kind: 'there', since: clock.now(), version })
      for (const session of all) put(session)
      settle()
    }
  }

  /** @returns why there is no line, or none any more */
  const once = async (): Promise<{ code: string; message: string }> => {
    const ending = new AbortController()
    let stream: MachineStream | null = null
    try {
      stream = line = await open(machine)
      for await (const update of stream.follow(over.signal)) take(update, stream.version)
      const ended = pause(clock, lostWithinMs, ending.signal).then(() => null)
      const why = await Promise.race([stream.lost, ended])
      return problemOf(why ?? silent(machine), 'machine-line-lost')
    } catch (error) {
      return problemOf(error, 'machine-line-lost')
    } finally {
      ending.abort()
      line = null
      stream?.close()
    }
  }

  const run = async () => {
    for (let tries = 0; !over.signal.aborted; tries++) {
      const why = await once()
      const now = clock.now()
      if (state.kind === 'there' && now - state.since >= goodLineMs) tries = 0
      const waitMs = waitBefore(tries, why.code, random.fraction())
      if (over.signal.aborted) return
      const seen = state.kind === 'there' || (state.kind === 'away' && state.seen)
      become({ kind: 'away', since: state.kind === 'away' ? state.since : now, seen, why, nextTryAt: now + waitMs })
      settle()
      waiting = new AbortController()
      await pause(clock, waitMs, AbortSignal.any([over.signal, waiting.signal]))
    }
  }
  void run()

  const there = (): MachineStream => {
    if (line !== null) return line
    if (state.kind === 'away') throw new OnwardError(state.why.code, state.why.message, { details: { machine: name } })
    throw new OnwardError('machine-connecting', `${name} is being reached. Try again in a moment.`, {
      details: { machine: name },
    })
  }
  return {
    settled,
    view: () => ({ ...facts(), sessions: [...sessions.values()] }),
    retry: () => waiting.abort(),
    beQuiet(wanted) {
      quiet = wanted
      tell({ type: 'machine', machine: facts() })
    },
    async call(what) {
      const asked = there()
      try {
        return await asked.call(what)
      } catch (error) {
        if (!OnwardError.isInstance(error) || error.code !== 'engine-gone') throw error
        const waited = new AbortController()
        throw await Promise.race([
          asked.lost,
          pause(clock, lostWithinMs, waited.signal).then(() => silent(machine)),
        ]).finally(() => waited.abort())
      }
    },
    async *watch(operation, input, signal) {
      yield* there().watch(operation, input, signal)
    },
    dispose: () => over.abort(),
  }
}
