import type { ClientKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { agents } from '../agents/index.ts'
import {
  byScreen,
  forConversation,
  type TerminalReading,
  type TypeControl,
  type TypeOrder,
  type TypeResult,
  type TypingTarget,
} from '../types.ts'
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
  const typingFor = (order: TypeOrder, control: TypeControl): Typing => ({
    port: {
      ...port,
      assess: async () => {
        const seen = await port.assess()
        const reading = withRows(seen)
        return { ...seen, reading: forConversation(order.screenAlone ? byScreen(reading) : reading, order) }
      },
    },
    clock,
    control,
    settings: { ...defaultTypingSettings, ...gapsOf(order.client), ...typing },
  })

  return {
    terminalId,
    read: async () => withRows(await port.assess()),
    type: (order, control) =>
      inTurn(async () => {
        if (begun.has(order.entryId) && !order.again) return { kind: 'unknown' }
        begun.delete(order.entryId)
        try {
          const result = await typeEntry(typingFor(order, control), order.text, () => remember(order.entryId))
          // nothing of it went out
          if (result.kind === 'held') begun.delete(order.entryId)
          return result
        } catch (error) {
          log.warn(
            { terminalId, entryId: order.entryId, why: messageOf(error) },
            'the terminal could not be looked at while typing',
          )
          return begun.has(order.entryId) ? { kind: 'unknown' } : { kind: 'held', reason: { code: 'screen-unread' } }
        }
      }),
    pressOwedEnter: (order, control) => inTurn(() => pressOwedEnter(order, control)),
    takeOut: (order, control) => inTurn(() => takeItOut(order, control)),
    onChange,
  }

  async function takeItOut(order: TypeOrder, control: TypeControl): Promise<TypeResult> {
    try {
      return await takeOut(typingFor(order, control), order.text)
    } catch (error) {
      log.warn(
        { terminalId, entryId: order.entryId, why: messageOf(error) },
        'the terminal could not be looked at while taking a text out',
      )
      return { kind: 'enter-owed', reason: { code: 'screen-unread' } }
    }
  }

  async function pressOwedEnter(order: TypeOrder, control: TypeControl): Promise<TypeResult> {
    remember(order.entryId)
    try {
      return await pressOwed(typingFor(order, control), order.text)
    } catch (error) {
      log.warn(
        { terminalId, entryId: order.entryId, why: messageOf(error) },
        'the terminal could not be looked at while pressing Enter',
      )
      return { kind: 'unknown' }
    }
  }
}
