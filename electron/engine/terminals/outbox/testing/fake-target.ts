import type { TerminalReading, TypeControl, TypeOrder, TypeResult, TypingTarget } from '../../types.ts'

/** A terminal for tests: what it shows and how typing ends are set by the test; what was typed is written down. */
export interface FakeTarget extends TypingTarget {
  reading: TerminalReading
  /** asked for each typed entry and each owed Enter */
  answer: (
    order: TypeOrder,
    control: TypeControl,
    what: 'text' | 'enter' | 'take-out',
  ) => TypeResult | Promise<TypeResult>
  readonly typed: readonly TypeOrder[]
  readonly enters: readonly string[]
  readonly takenOut: readonly string[]
  readonly reads: number
  readonly listeners: number
  change(): void
}

export function fakeTarget(terminalId = 't1'): FakeTarget {
  const listeners = new Set<() => void>()
  const typed: TypeOrder[] = []
  const enters: string[] = []
  const takenOut: string[] = []
  let reads = 0
  return {
    terminalId,
    reading: { kind: 'ready', bracketedPaste: true },
    answer: () => ({ kind: 'submitted', extraEnter: false }),
    typed,
    enters,
    takenOut,
    get reads() {
      return reads
    },
    get listeners() {
      return listeners.size
    },
    async read() {
      reads++
      return this.reading
    },
    async type(order, control) {
      typed.push(order)
      return this.answer(order, control, 'text')
    },
    async pressOwedEnter(order, control) {
      enters.push(order.entryId)
      return this.answer(order, control, 'enter')
    },
    async takeOut(order, control) {
      takenOut.push(order.entryId)
      return this.answer(order, control, 'take-out')
    },
    onChange(listener) {
      listeners.add(listener)
      return {
        dispose: () => {
          listeners.delete(listener)
        },
      }
    },
    change() {
      for (const listener of Array.from(listeners)) listener()
    },
  }
}
