import type { ClientKind } from '../../../../shared/words.ts'
import { type Clock, pause } from '../../base/clock.ts'
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
import { pressOwed, typeEntry } from './type-entry.ts'
import { holdsText, isRestOf } from './composer-text.ts'

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

/** More lines than any client shows of a text; longer ones stand there as a paste, which is one. */
const steps = 400
/** A line that has changed between reading and key this often in a row is one that a person types in. */
const tries = 5

/**
 * Takes a text of ours out of the composer, line by line from its end, and reads the line before every step: as soon as
 * anything else stands there, or a person types, it stops. Never Ctrl C or Escape: those would stop the agent. A text
 * that no reading has shown as a whole (`late`) is waited for.
 */
async function takeOut(typing: Typing, text: string, late: LateText | null = null): Promise<TypeResult> {
  const { port, clock, settings, control } = typing
  let before: string | null = null
  let unchanged = 0
  let moved = 0
  let erased = false
  let unseen = late
  const since = clock.monotonic()
  for (let step = 0; step < steps; step++) {
    const seen = await port.assess()
    if (seen.reading.kind === 'gone') return { kind: 'failed', reason: seen.reading.reason }
    if (control.requestArrived.aborted) return { kind: 'submitted', extraEnter: false }
    // as a whole it is seen now
    if (unseen && !holdsText(seen.composer, text)) {
      // it has yet to be seen: nothing is typed after it while the agent works
      if (seen.reading.kind === 'hold') return { kind: 'enter-owed', reason: seen.reading.reason }
      // an agent with an unknown composer never shows it
      if (seen.composer.kind === 'unseen') return { kind: 'removed' }
      const found = await unseen.saw(typing, text, seen, 'erase')
      if (found === 'gone') return { kind: 'removed' }
      if (found === 'draft') return { kind: 'enter-owed', reason: { code: 'draft' } }
      if (clock.monotonic() - since >= settings.lateMs) return { kind: 'enter-owed', reason: { code: 'not-drawn' } }
      await pause(clock, settings.pollMs, control.requestArrived)
      continue
    }
    unseen = null
    if (seen.composer.kind === 'empty') return erased ? { kind: 'removed' } : { kind: 'unknown' }
    const stays = whyItStays(seen, text, erased)
    if (stays) return stays
    const shown = seen.composer.kind === 'text' ? seen.composer.text : ''
    unchanged = shown === before ? unchanged + 1 : 0
    // a screen that is slow to show it; then keys that this program does not know
    if (unchanged * settings.pollMs > settings.patienceMs) return { kind: 'enter-owed', reason: { code: 'draft' } }
    before = shown
    if (unchanged === 0) {
      // an agent that redraws its screen moves the line as well: the text that stands there now shows which it was
      const written = await port.eraseLine(seen)
      moved = written === 'moved' ? moved + 1 : 0
      if (moved === tries) return { kind: 'enter-owed', reason: { code: 'typing' } }
      if (written === 'moved') before = null
      else erased = true
    }
    await pause(clock, settings.pollMs, control.requestArrived)
  }
  return { kind: 'enter-owed', reason: { code: 'draft' } }
}

/** `begun`: what is left may be any part of the text by now. */
function whyItStays({ reading, composer }: Assessment, text: string, begun: boolean): TypeResult | null {
  // a busy agent shows its composer too, and keys go there
  if (reading.kind === 'hold' && reading.reason.code !== 'agent-busy' && reading.reason.code !== 'other-conversation')
    return { kind: 'enter-owed', reason: reading.reason }
  return isRestOf(composer, text, begun) ? null : { kind: 'enter-owed', reason: { code: 'draft' } }
}
