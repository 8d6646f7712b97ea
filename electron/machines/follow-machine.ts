/** One machine, followed over a line that comes back by itself. */
import type { MachineState, MachineView } from '../../shared/machines.ts'
import type { EngineUpdate, SessionView } from '../../shared/state.ts'
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
  /** settles when the line is gone, with why */
  lost: Promise<Error>
  close(): void
}

export interface FollowDeps {
  clock: Clock
  random: Random
  open(machine: Machine): Promise<MachineStream>
}

export interface FollowedMachine extends Disposable {
  view(): MachineView
  /** resolves when it was there once, or is known not to be */
  settled: Promise<void>
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

/** Begins at once, and goes on until it is disposed of. */
export function followMachine(machine: Machine, { clock, random, open }: FollowDeps): FollowedMachine {
  const over = new AbortController()
  let state: MachineState = { kind: 'connecting' }
  let sessions = new Map<string, SessionView>()
  let settle: () => void = () => undefined
  const settled = new Promise<void>((done) => {
    settle = done
  })

  const take = (update: EngineUpdate, version: string) => {
    if (update.type === 'session') sessions.set(update.session.id, update.session)
    else if (update.type === 'session-removed') sessions.delete(update.id)
    else if (update.type === 'snapshot') {
      sessions = new Map(update.sessions.map((session) => [session.id, session]))
      if (state.kind !== 'there') state = { kind: 'there', since: clock.now(), version }
      settle()
    }
  }

  /** @returns why there is no line, or none any more */
  const once = async (): Promise<{ code: string; message: string }> => {
    const waiting = new AbortController()
    let stream: MachineStream | null = null
    try {
      stream = await open(machine)
      for await (const update of stream.follow(over.signal)) take(update, stream.version)
      const ended = pause(clock, lostWithinMs, waiting.signal).then(() => null)
      const why = await Promise.race([stream.lost, ended])
      return problemOf(why ?? silent(machine), 'machine-line-lost')
    } catch (error) {
      return problemOf(error, 'machine-line-lost')
    } finally {
      waiting.abort()
      stream?.close()
    }
  }

  const run = async () => {
    for (let tries = 0; !over.signal.aborted; tries++) {
      const why = await once()
      const now = clock.now()
      if (state.kind === 'there' && now - state.since >= goodLineMs) tries = 0
      const waitMs = waitBefore(tries, why.code, random.fraction())
      state = { kind: 'away', since: state.kind === 'away' ? state.since : now, why, nextTryAt: now + waitMs }
      settle()
      await pause(clock, waitMs, over.signal)
    }
  }
  void run()

  return {
    settled,
    view: () => ({ name: machine.name, target: machine.target, state, sessions: [...sessions.values()] }),
    dispose: () => over.abort(),
  }
}
