import { wordsFrom, type Words } from '../i18n/index.ts'
import { spoken as en } from '../i18n/spoken-en.ts'
import { spoken as zh } from '../i18n/spoken-zh-CN.ts'
import type { Language } from '../../shared/words.ts'

/** Both languages at once, as no page has them. */
export const wordsOf = (language: Language, zone?: string): Words => wordsFrom(language === 'en' ? en : zh, zone)
