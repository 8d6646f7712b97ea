import { zh } from '../../../../shared/sentences/zh/spaced.ts'
import type { Language } from '../../../../shared/words.ts'

/** What a person is asked for where the reviewer has no words of its own for it. */
export const unreadableChecks = (problem: string, language: Language): string =>
  language === 'zh-CN'
    ? zh`目标看来达成了，但检查的声明读不了：${problem}`
    : `The goal seems reached, but the declared checks can’t be read: ${problem}`

export const unsaidNeed = (language: Language): string =>
  language === 'zh-CN'
    ? '没有你就继续不了，复核没有说明要你做什么'
    : 'The agent can’t go on without you; the reviewer does not say for what'
