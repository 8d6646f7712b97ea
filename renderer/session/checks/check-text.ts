/** The text beside a check: its state as a shape, and a sentence. Pure. */
import type { Words } from '../../i18n/index.ts'
import type { CheckView } from '../../../shared/review.ts'
import type { SessionShape } from '../../../shared/words.ts'

/** Where a folder declares its checks. */
export const fileName = '.onward.json'

export interface CheckText {
  shape: SessionShape
  text: string
  tone: 'failed' | 'needs' | ''
  at: number | null
  /** a person has to say something */ asks: 'approve' | 'forget' | null
}

export function checkText(
  { approval, running, last }: Pick<CheckView, 'approval' | 'running' | 'last'>,
  { w, s }: Pick<Words, 'w' | 's'>,
): CheckText {
  if (running) return { shape: 'working', text: w.checks.running, tone: '', at: null, asks: null }
  switch (approval) {
    case 'not-approved':
      return { shape: 'needs', text: w.checks.mayRun, tone: 'needs', at: null, asks: 'approve' }
    case 'changed':
      return { shape: 'needs', text: w.checks.changed, tone: 'needs', at: null, asks: 'approve' }
    case 'removed':
      return { shape: 'gone', text: w.checks.removed, tone: '', at: null, asks: 'forget' }
    case 'approved':
      break
  }
  if (last === null) return { shape: 'idle', text: w.checks.never, tone: '', at: null, asks: null }
  if (last.outcome === 'passed')
    return { shape: 'done', text: s.checkOutcome('passed'), tone: '', at: last.at, asks: null }
  if (last.outcome === 'stopped')
    return { shape: 'idle', text: s.checkOutcome('stopped'), tone: '', at: last.at, asks: null }
  return { shape: 'failed', text: last.say || s.checkOutcome(last.outcome), tone: 'failed', at: last.at, asks: null }
}
