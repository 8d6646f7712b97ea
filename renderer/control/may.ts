/**
 * What is offered on this page: to a person everything, to a paired device what its rights allow. Decided here alone;
 * a button, a form or a command names the operation that it is there for.
 */
import type { OperationName } from '../../shared/operations/index.ts'
import { rightOf } from '../../shared/operations/rights.ts'
import type { EngineState } from '../state/engine.ts'

export function may({ rights }: Pick<EngineState, 'rights'>, operation: OperationName): boolean {
  if (rights === null) return true
  const right = rightOf(operation)
  return right !== null && rights.includes(right)
}
