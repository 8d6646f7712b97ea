import { z } from 'zod'
import type { Clock } from '../engine/base/clock.ts'
import { type Disposable, emitter } from '../engine/base/disposable.ts'
import { serial } from '../engine/base/work.ts'
import { keychainError, troubleIn, type Keychain } from '../engine/secrets/keychain.ts'
import type { KeychainCall } from './protocol.ts'

/** A process that answers calls, line by line. */
export interface KeychainHelper {
  send(line: string): void
  /** `onEnd` is called once, also where the process could not be started */
  listen(onLine: (line: string) => void, onEnd: (why: string) => void): void
  kill(): void
}

/** An engine's start waits for its keys no longer than this; a desktop that asks for a password takes longer. */
const READ_MS = 3_000
/** A person waits for it, who may have to unlock the keychain first. */
const WRITE_MS = 60_000
/** After a call that was given up: a person may look for the password for so long. */
const LATE_MS = 180_000
/** Each read of a locked keychain asks its person: five keys are one question. */
const QUIET_MS = 5_000
/** A process without anything to do ends. */
const IDLE_MS = 10_000

const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.string().nullable() }),
  z.object({
    ok: z.literal(false),
    trouble: z.enum(['not-built', 'locked', 'silent', 'unreachable', 'refused']),
    said: z.string(),
  }),
])
type Answer = z.infer<typeof answer>

interface Waiting {
  settle(answer: Answer): void
  /** the caller got an error already */
  givenUp: boolean
  timer: Disposable
}

/** The system's keychain through a process of its own, started when it is needed. One call at a time. */
export function createKeychain(start: () => KeychainHelper, clock: Clock): Keychain {
  const back = emitter<void>(() => undefined)
  let helper: KeychainHelper | null = null
  let waiting: Waiting | null = null
  let idle: Disposable | null = null
  let refused: { error: Error; until: number } | null = null
  let over = false

  const stop = () => {
    const old = helper
    helper = null
    idle?.dispose()
    old?.kill()
  }
  const arrived = (from: KeychainHelper, got: Answer) => {
    if (from !== helper || waiting === null) return
    const { settle, givenUp, timer } = waiting
    waiting = null
    timer.dispose()
    settle(got)
    idle = clock.after(IDLE_MS, stop)
    if (givenUp && got.ok) back.emit()
  }
  const running = (): KeychainHelper => {
    idle?.dispose()
    if (helper) return helper
    const started = start()
    helper = started
    const ended = (said: string) => {
      arrived(started, { ok: false, trouble: 'unreachable', said })
      if (helper === started) stop()
    }
    started.listen((line) => {
      const read = answer.safeParse(parsed(line))
      if (read.success) arrived(started, read.data)
      else ended('its process said something else')
    }, ended)
    return started
  }

  function ask(call: KeychainCall, patience: number): Promise<string | null> {
    if (over) return Promise.reject(keychainError('off'))
    // A prompt is open: a call made now would wait for it.
    if (waiting?.givenUp) return Promise.reject(keychainError('silent'))
    return new Promise((resolve, reject) => {
      const late = () => {
        waiting = { ...current, givenUp: true, timer: clock.after(LATE_MS, () => giveUp()) }
        reject(keychainError('silent'))
      }
      const giveUp = () => {
        waiting = null
        stop()
      }
      const current: Waiting = {
        settle: (got) => (got.ok ? resolve(got.value) : reject(keychainError(got.trouble, got.said))),
        givenUp: false,
        timer: clock.after(patience, late),
      }
      const to = running()
      waiting = current
      to.send(`${JSON.stringify(call)}\n`)
    })
  }
  const inTurn = serial()
  const remember = async (work: () => Promise<string | null>): Promise<string | null> => {
    try {
      const value = await work()
      refused = null
      return value
    } catch (error) {
      if (error instanceof Error && troubleIn(error)?.trouble !== 'refused')
        refused = { error, until: clock.monotonic() + QUIET_MS }
      throw error
    }
  }

  return {
    get: (account, within = READ_MS) =>
      inTurn(() => {
        if (refused && clock.monotonic() < refused.until) return Promise.reject(refused.error)
        return remember(() => ask({ call: 'get', account }, Math.min(within, READ_MS)))
      }),
    async set(account, value, within = WRITE_MS) {
      await inTurn(() => remember(() => ask({ call: 'set', account, value }, Math.min(within, WRITE_MS))))
    },
    async remove(account, within = WRITE_MS) {
      await inTurn(() => remember(() => ask({ call: 'remove', account }, Math.min(within, WRITE_MS))))
    },
    onBack: (listener) => back.on(listener),
    dispose() {
      over = true
      const open = waiting
      waiting = null
      open?.timer.dispose()
      open?.settle({ ok: false, trouble: 'unreachable', said: 'the engine is ending' })
      stop()
    },
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
