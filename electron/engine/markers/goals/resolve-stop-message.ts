import type { Instruction } from '../types.ts'

export type StopMessageSet = Extract<Instruction, { kind: 'stop-message-set' }>

export type StopMessageDecision =
  | { kind: 'none' }
  | { kind: 'clear'; marker: string }
  | { kind: 'set'; instruction: StopMessageSet }

/**
 * Decides between several stopMessage markers of one message: a stopMessage clear wins wherever it is, otherwise the
 * last valid one counts; a generic `clear` undoes those before it.
 */
export function resolveStopMessage(instructions: readonly Instruction[]): StopMessageDecision {
  const off = instructions.findLast((i) => i.kind === 'stop-message-clear')
  if (off) return { kind: 'clear', marker: off.marker }
  const last = instructions.findLast((i) => i.kind === 'stop-message-set' || i.kind === 'clear')
  if (last?.kind === 'stop-message-set') return { kind: 'set', instruction: last }
  return last ? { kind: 'clear', marker: last.marker } : { kind: 'none' }
}
