import type { Language } from '../../../../shared/words.ts'

/** Sent when a person armed without a text of their own. It asks for work, not for a report. */
export const defaultStopMessageText = (language: Language): string =>
  language === 'zh-CN' ? '继续执行' : 'Continue with the next step and finish it.'
