import type { Sentences } from '../../shared/sentences/types.ts'
import type { Language } from '../../shared/words.ts'
import type { Dictionary } from './en.ts'

export type { Dictionary }

/** The words of one language: `w` the dashboard's, `s` the sentences shared with tray and command line. */
export interface Spoken {
  language: Language
  w: Dictionary
  s: Sentences
}

/** Everything that speaks: a language's words and sentences, `f` its figures. */
export interface Words extends Spoken {
  /** IANA name of the zone that instants are shown in; undefined: the browser's own */
  zone: string | undefined
  f: Sentences['figures']
}

/** @param zone the one that is shown (shared/sentences/shown-zone.ts) */
export const wordsFrom = (spoken: Spoken, zone?: string): Words => ({ ...spoken, zone, f: spoken.s.figures })

/** Each language in its own words: a choice that can be read whatever is loaded. */
export const languageNames: readonly { language: Language; name: string }[] = [
  { language: 'en', name: 'English' },
  { language: 'zh-CN', name: '简体中文' },
]

/** Shown before any words are loaded. */
export const noWords = 'Onward could not be loaded. Reload the page. · Onward 无法加载，重新加载页面。'

/** The first language of the browser that we speak; any Chinese is better served with 简体中文 than with English. */
export function browserLanguage(wanted: readonly string[]): Language | null {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh-CN'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return null
}
