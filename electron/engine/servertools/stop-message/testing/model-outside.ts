import type { FailReason } from '../../../../../shared/events.ts'
import type { VirtualClock } from '../../../base/testing/virtual-clock.ts'
import { T } from '../../../terminals/outbox/testing/bench.ts'
import { fakeTarget, type FakeTarget } from '../../../terminals/outbox/testing/fake-target.ts'
import type { TypeControl, TypeOrder, TypeResult } from '../../../terminals/types.ts'
import type { Typing } from './model-commands.ts'

/** The outside world: one terminal, one agent, one person. It outlives the engines. */
export interface Outside {
  target: FakeTarget
  how: Typing
  reading: 'ready' | 'busy' | 'dialog'
  composer: { id: string; text: string } | null
  /** what the agent has and has not answered yet: it is busy with that */
  inbox: { id: string; text: string }[]
  /** how often each entry was typed and not removed again */
  typedTexts: Map<string, number>
  /** it left the composer, or the agent, without a turn that carried it */
  removed(what: { id: string } | null | undefined): void
  problems: string[]
  paused: boolean
}

export function outside(clock: VirtualClock, onDisk: (id: string) => string | null): Outside {
  const target = fakeTarget(T)
  const self: Outside = {
    target,
    how: 'submitted',
    reading: 'ready',
    composer: null,
    inbox: [],
    typedTexts: new Map(),
    removed(what) {
      if (what) self.typedTexts.set(what.id, (self.typedTexts.get(what.id) ?? 1) - 1)
    },
    problems: [],
    paused: false,
  }
  target.read = async () => {
    if (self.reading === 'busy' || self.inbox.length > 0) return { kind: 'hold', reason: { code: 'agent-busy' } }
    if (self.reading === 'dialog') return { kind: 'hold', reason: { code: 'dialog-open' } }
    return self.composer === null
      ? { kind: 'ready', bracketedPaste: true }
      : { kind: 'composer-holds', text: self.composer.text }
  }
  const arrive = ({ entryId, text }: TypeOrder): TypeResult => {
    self.composer = null
    self.inbox.push({ id: entryId, text })
    return { kind: 'submitted', extraEnter: false }
  }
  target.answer = (order: TypeOrder, control: TypeControl, what) => {
    if (what === 'take-out') {
      if (self.reading === 'dialog') return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
      if (self.composer && self.composer.id !== order.entryId) return { kind: 'enter-owed', reason: { code: 'draft' } }
      // Nothing stands there: whether it was sent, a terminal can't tell (typing/typing-target.ts).
      if (!self.composer) return { kind: 'unknown' }
      self.removed(self.composer)
      self.composer = null
      return { kind: 'removed' }
    }
    const how = self.how
    self.how = 'submitted'
    if (self.paused) self.problems.push(`typed while paused: ${order.entryId}`)
    if (onDisk(order.entryId) !== 'typing') self.problems.push(`typed before it was on disk: ${order.entryId}`)
    if (what === 'text') {
      if (how === 'held') return { kind: 'held', reason: { code: 'agent-busy' } }
      self.typedTexts.set(order.entryId, (self.typedTexts.get(order.entryId) ?? 0) + 1)
    }
    // A terminal looks again right before Enter (typing/type-entry.ts): the person may just have sent or erased the
    // text.
    if (what === 'enter' && self.inbox.length > 0) return { kind: 'enter-owed', reason: { code: 'agent-busy' } }
    if (what === 'enter' && self.composer === null) return { kind: 'removed' }
    const typed = { id: order.entryId, text: order.text }
    const failed: FailReason = { code: 'not-submitted' }
    switch (how) {
      case 'owed':
      case 'held':
        self.composer = typed
        return { kind: 'enter-owed', reason: { code: 'dialog-open' }, shown: true }
      case 'slow': {
        self.composer = typed
        return new Promise((resolve) => {
          const timer = clock.after(1_000, () => {
            if (self.composer !== null) arrive(order)
            resolve({ kind: 'submitted', extraEnter: false })
          })
          control.stop.addEventListener('abort', () => {
            timer.dispose()
            resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' }, shown: true })
          })
        })
      }
      case 'failed':
        self.composer = null
        return { kind: 'failed', reason: failed }
      case 'lost, arrived':
        arrive(order)
        return { kind: 'unknown' }
      case 'lost, not arrived':
        self.composer = null
        return { kind: 'unknown' }
      case 'hangs, arrived':
        arrive(order)
        return new Promise(() => {})
      case 'hangs':
        return new Promise((resolve) => {
          control.stop.addEventListener('abort', () => resolve({ kind: 'unknown' }))
        })
      default:
        return arrive(order)
    }
  }
  return self
}
