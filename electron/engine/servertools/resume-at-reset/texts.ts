import type { Language } from '../../../../shared/words.ts'

/** Why a session was not continued although a person wanted it to be. */
export type FailureCode = 'no-terminal' | 'terminal-gone' | 'again' | 'overdue' | 'never-lifted' | 'too-many'

/** Typed at the reset. The agent knows its task: its turn was only cut short. */
export const followupText = (language: Language): string => (language === 'zh-CN' ? '继续。' : 'Continue.')

const reasons: Record<Language, Record<FailureCode, string>> = {
  en: {
    'no-terminal': 'it has no terminal that Onward can type into',
    'terminal-gone': 'its terminal was closed',
    again: 'it ended at a limit again three times in a row',
    overdue: 'that was more than a day ago, and Onward was not running',
    'never-lifted': 'the provider has not answered for a week',
    'too-many': 'too many sessions wait for their limits',
  },
  'zh-CN': {
    'no-terminal': '它没有 Onward 能输入的终端',
    'terminal-gone': '它的终端关掉了',
    again: '连续三次又遇到额度用完',
    overdue: '已经过去一天多，当时 Onward 没有运行',
    'never-lifted': '服务商一周没有恢复',
    'too-many': '等额度的会话太多',
  },
}

export const failureText = (why: FailureCode, language: Language): string => reasons[language][why]
