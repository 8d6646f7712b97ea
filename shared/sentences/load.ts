import type { Language } from '../words.ts'
import type { Sentences } from './types.ts'

/** The sentences of one language, for a program that runs for a moment: the other language's are as many again. */
export const loadSentences = async (language: Language): Promise<Sentences> =>
  language === 'en' ? (await import('./en.ts')).en : (await import('./zh-CN.ts')).zhCN
