import type { EventBody } from '../../events.ts'
import { targetText } from '../../target-text.ts'
import { zh } from './spaced.ts'

const either = (targets: readonly string[]): string => targets.map(targetText).join(' 或 ')

export function outageSet({ failed, tell, standIn }: Extract<EventBody, { type: 'outage-set' }>): string {
  const waits = either(failed)
  if (standIn === null) return zh`${waits} 又能回答时通知你`
  return zh`${waits} 又能回答之前，请求都发到 ${targetText(standIn)}${tell ? '，到时通知你' : ''}`
}

export function outageOver({ target, failed, standIn }: Extract<EventBody, { type: 'outage-over' }>): string {
  const meanwhile = standIn === null ? '' : zh`，不再用 ${targetText(standIn)} 代替`
  return target === null ? zh`不再等 ${either(failed)}${meanwhile}` : zh`${targetText(target)} 又能回答了${meanwhile}`
}
