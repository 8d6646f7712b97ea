import type { ClientKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { agents } from '../agents/index.ts'
import {
  answerLost,
  byScreen,
  forConversation,
  type TerminalReading,
  type TypeControl,
  type TypeOrder,
  type TypeResult,
  type TypingTarget,
} from '../types.ts'
import { createLateText, type LateText } from './late-text.ts'
import { defaultTypingSettings, type Assessment, type Typing, type TypingPort, type TypingSettings } from './port.ts'
import { takeOut } from './take-out.ts'
import { pressOwed, typeEntry } from './type-entry.ts'

export interface TypingTargetDeps {
  terminalId: string
  port: TypingPort
  clock: Clock
  log: Log
  onChange(listener: () => void): Disposable
  /** other durations than usual */
  typing?: Partial<TypingSettings>
}

function withRows({ reading, above }: Assessment): TerminalReading {
  if (!above || reading.kind === 'gone') return reading
  if (reading.kind !== 'hold') return { ...reading, above }
  return reading.screenAlone ? { ...reading, screenAlone: { ...reading.screenAlone, above } } : reading
}

const gapsOf = (client: ClientKind) => ({ gapMs: agents[client].gapMs, stoodMs: agents[client].stoodMs })

/** more entries than any terminal sees before its process ends or the outbox has forgotten them */
const remembered = 4_096

/** A terminal as the outbox sees it, over the port of a tmux pane or of a PTY of this process. */
export function createTypingTarget({ terminalId, port, clock, log, onChange, typing }: TypingTargetDeps): TypingTarget {
  const begun = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  let followed: { entryId: string; late: LateText } | null = null

  const lateOf = ({ entryId, unseen }: TypeOrder): LateText | null => {
    if (!unseen) return null
    if (followed?.entryId !== entryId) followed = { entryId, late: createLateText() }
    return followed.late
  }

  const remember = (entryId: string) => {
    begun.add(entryId)
    const [oldest] = begun
    if (begun.size > remembered && oldest !== undefined) begun.delete(oldest)
  }
  /** One at a time: two texts at once would become one line. */
  const inTurn = (work: () => Promise<TypeResult>): Promise<TypeResult> => {
    const mine = last.then(work)
    last = mine.catch(() => null)
    return mine
  }
  const typingFor = (order: TypeOrder, control: TypeControl, pressed: () => void): Typing => ({
    port: {
      ...port,
      async assess() {
        const seen = await port.assess()
        const reading = withRows(seen)
        return { ...seen, reading: forConversation(order.screenAlone ? byScreen(reading) : reading, order) }
      },
      async pressEnter(seen) {
        const written = await port.pressEnter(seen).catch((error: unknown) => {
          pressed()
          throw error
        })
        if (written === 'written') pressed()
        return written
      },
    },
    clock,
    control,
    settings: { ...defaultTypingSettings, ...gapsOf(order.client), ...typing },
  })
  /** If the terminal does not answer, the screen shows the outcome later. */
  const attempt = async (
    order: TypeOrder,
    control: TypeControl,
    work: (typing: Typing) => Promise<TypeResult>,
  ): Promise<TypeResult> => {
    let entered = false
    const pressed = () => {
      entered = true
    }
    try {
      return await work(typingFor(order, control, pressed))
    } catch (error) {
      log.warn(
        { terminalId, entryId: order.entryId, why: messageOf(error) },
        'the terminal could not be looked at while typing',
      )
      return { kind: 'enter-owed', reason: { code: 'screen-unread' }, entered }
    }
  }

  return {
    terminalId,
    read: async () => withRows(await port.assess()),
    type: (order, control) =>
      inTurn(async () => {
        if (begun.has(order.entryId) && !order.again) return answerLost({ code: 'screen-unread' })
        begun.delete(order.entryId)
        followed = null
        const result = await attempt(order, control, (typing) =>
          typeEntry(typing, order.text, () => remember(order.entryId)),
        )
        if (begun.has(order.entryId) && result.kind !== 'held') return result
        // nothing of it went out
        begun.delete(order.entryId)
        return result.kind === 'enter-owed' ? { kind: 'held', reason: result.reason } : result
      }),
    pressOwedEnter: (order, control) =>
      inTurn(() => {
        remember(order.entryId)
        return attempt(order, control, (typing) => pressOwed(typing, order.text, lateOf(order)))
      }),
    takeOut: (order, control) =>
      inTurn(() => attempt(order, control, (typing) => takeOut(typing, order.text, lateOf(order)))),
    onChange,
  }
}
