import type { VirtualClock } from '../../base/testing/virtual-clock.ts'
import { fakeTarget, type FakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import type { TerminalReading, TypeControl, TypeOrder, TypeResult } from '../../terminals/types.ts'

/** How typing goes, as a terminal may have it. `lost`: the link breaks, the text arrived or did not. */
export const typings = [
  'submitted',
  'slow',
  'held',
  'owed',
  'failed',
  'lost, arrived',
  'lost, not arrived',
  'hangs',
] as const
export type Typing = (typeof typings)[number]

/** One terminal with its agent and a person before it. It outlives the engines. */
export interface TerminalOutside {
  target: FakeTarget
  /** how the next typing goes */
  how: Typing
  reading: 'ready' | 'busy' | 'gone'
  /** what stands in the agent's input line; null: nothing */
  composer: string | null
  /** texts the agent has and has not answered yet */
  inbox: string[]
}

/** `onTyped`: a text stood in the terminal, whatever became of it then */
export function terminalOutside(clock: VirtualClock, name: string, onTyped: (text: string) => void): TerminalOutside {
  const target = fakeTarget(name)
  const self: TerminalOutside = { target, how: 'submitted', reading: 'ready', composer: null, inbox: [] }
  const arrive = (text: string): TypeResult => {
    self.composer = null
    self.inbox.push(text)
    return { kind: 'submitted', extraEnter: false }
  }
  target.read = async (): Promise<TerminalReading> => {
    if (self.reading === 'busy') return { kind: 'hold', reason: { code: 'agent-busy' } }
    if (self.reading === 'gone') return { kind: 'gone', reason: { code: 'terminal-gone', why: 'closed' } }
    return self.composer === null
      ? { kind: 'ready', bracketedPaste: true }
      : { kind: 'composer-holds', text: self.composer }
  }
  target.answer = (order: TypeOrder, control: TypeControl, what) => {
    const how = self.how
    self.how = 'submitted'
    if (what === 'enter' && self.composer === null) return { kind: 'unknown' }
    if (what === 'text') {
      if (how === 'held') return { kind: 'held', reason: { code: 'agent-busy' } }
      onTyped(order.text)
    }
    switch (how) {
      case 'owed':
      case 'held':
        self.composer = order.text
        return { kind: 'enter-owed', reason: { code: 'dialog-open' } }
      case 'slow': {
        self.composer = order.text
        return new Promise((resolve) => {
          const timer = clock.after(1_000, () => {
            if (self.composer !== null) arrive(order.text)
            resolve({ kind: 'submitted', extraEnter: false })
          })
          control.stop.addEventListener('abort', () => {
            timer.dispose()
            resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } })
          })
        })
      }
      case 'failed':
        self.composer = null
        return { kind: 'failed', reason: { code: 'not-submitted' } }
      case 'lost, arrived':
        arrive(order.text)
        return { kind: 'unknown' }
      case 'lost, not arrived':
        self.composer = null
        return { kind: 'unknown' }
      case 'hangs':
        return new Promise((resolve) => {
          control.stop.addEventListener('abort', () => resolve({ kind: 'unknown' }))
        })
      case 'submitted':
        return arrive(order.text)
    }
  }
  return self
}
