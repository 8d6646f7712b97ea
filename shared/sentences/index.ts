/** The one place where data becomes words: timeline, list, tray, notifications and CLI all ask here. */
import type { Language } from '../words.ts'
import { en } from './en.ts'
import type { Sentences } from './types.ts'
import { zhCN } from './zh-CN.ts'

export { excerpt } from './excerpt.ts'
export { figuresOf, type Figures } from './figures.ts'
export { parseNeed, type Need } from './needs.ts'
export { showZone } from './shown-zone.ts'
export { shapeGlyphs, type NoticeFact, type Sentences, type TrayWords } from './types.ts'
export { zh } from './zh/spaced.ts'

export type SentencesOf = (language: Language) => Sentences

const byLanguage: Record<Language, Sentences> = { en, 'zh-CN': zhCN }

/** @example sentencesOf('en').say(session.say, Date.now()) // “Turn 42 running for 38 s” */
export const sentencesOf: SentencesOf = (language) => byLanguage[language]
