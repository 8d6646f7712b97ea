import type { EventBody } from '../../events.ts'
import { targetText } from '../../target-text.ts'

const either = (targets: readonly string[]): string => targets.map(targetText).join(' or ')

export function outageSet({ failed, tell, standIn }: Extract<EventBody, { type: 'outage-set' }>): string {
  const waits = either(failed)
  if (standIn === null) return `You are told when ${waits} answers again`
  return `${targetText(standIn)} takes the turns until ${waits} answers again${tell ? ', and you are told then' : ''}`
}

export function outageOver({ target, failed, standIn }: Extract<EventBody, { type: 'outage-over' }>): string {
  const meanwhile = standIn === null ? '' : `, ${targetText(standIn)} takes no more turns for it`
  return target === null
    ? `${either(failed)} is not waited for any more${meanwhile}`
    : `${targetText(target)} answers again${meanwhile}`
}
