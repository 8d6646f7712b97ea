import type { CheckRun, ReviewOutcome, ReviewView } from '../../review.ts'
import { excerpt } from '../excerpt.ts'
import { listed } from './reasons.ts'
import { zh } from './spaced.ts'

/** “还没完成。两项退款测试失败” */
export function reviewed({ outcome, say }: ReviewView): string {
  const said =
    say === '' || outcome.code === 'discarded' || outcome.code === 'failed' || outcome.code === 'needs-user'
      ? ''
      : `。${excerpt(say)}`
  return `${reviewOutcome(outcome)}${said}`
}

export function reviewOutcome(outcome: ReviewOutcome): string {
  switch (outcome.code) {
    case 'not-reached':
      return '还没完成'
    case 'reached':
      return zh`目标达成，${outcome.checks} 项检查全部通过`
    case 'reached-unchecked':
      return '目标达成，未经检查'
    case 'checks-failed':
      return zh`还没完成：${listed(outcome.names)} 没通过`
    case 'checks-unapproved':
      return zh`看来达成了，但 ${listed(outcome.names)} 还不能运行`
    case 'needs-user':
      return zh`要你来定：${excerpt(outcome.text)}`
    case 'failed':
      return zh`没做成：${excerpt(outcome.why)}`
    case 'discarded':
      return '来得太晚，不算数'
  }
}

export function checkRan({ name, outcome, say }: Pick<CheckRun, 'name' | 'outcome' | 'say'>): string {
  return zh`检查 ${name} ${checkOutcome(outcome)}${say === '' ? '' : `：${excerpt(say)}`}`
}

const checkOutcomeWords: Readonly<Record<CheckRun['outcome'], string>> = {
  passed: '通过',
  failed: '没通过',
  'timed-out': '超时',
  'not-started': '没能启动',
  stopped: '被停下',
}
export const checkOutcome = (outcome: CheckRun['outcome']): string => checkOutcomeWords[outcome]
