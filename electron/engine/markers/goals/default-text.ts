import type { Language } from '../../../../shared/words.ts'

/** What is sent when a person armed without a text of their own: to be done, not to be reported on. */
export const defaultStopMessageText = (language: Language): string =>
  language === 'zh-CN' ? '继续执行' : 'Continue with the next step and finish it.'
