import type { Turn } from '../turn.ts'

/**
 * True for a turn of the main agent that a provider answers: not what Onward asks or answers itself, nor a followup
 * within an HTTP call.
 */
export function isAgentsTurn({
  call,
  identity,
  ownAnswer,
  reentered,
}: Pick<Turn, 'call' | 'identity' | 'ownAnswer' | 'reentered'>): boolean {
  return (
    identity.kind === 'turn' &&
    call.endpoint === 'generate' &&
    !call.internal &&
    !call.test &&
    ownAnswer === null &&
    !reentered
  )
}
