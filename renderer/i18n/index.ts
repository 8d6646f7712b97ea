import { sentencesOf, type Sentences } from '../../shared/sentences/index.ts'
import { languages, type Language } from '../../shared/words.ts'
import { en, type Dictionary } from './en.ts'
import { zhCN } from './zh-CN.ts'

export type { Dictionary }

const dictionaries: Record<Language, Dictionary> = { en, 'zh-CN': zhCN }

/**
 * Everything that speaks: `w` the dashboard's words, `s` the sentences shared with tray and command line, `f` figures.
 */
export interface Words {
  language: Language
  w: Dictionary
  s: Sentences
  f: Sentences['figures']
}

export function wordsOf(language: Language): Words {
  const s = sentencesOf(language)
  return { language, w: dictionaries[language], s, f: s.figures }
}

export const languageNames: readonly { language: Language; name: string }[] = languages.map((language) => ({
  language,
  name: dictionaries[language].languageName,
}))

/** The first language of the browser that we speak; any Chinese is better served with 简体中文 than with English. */
export function browserLanguage(wanted: readonly string[]): Language | null {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh-CN'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return null
}
