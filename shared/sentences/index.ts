/** The one place where data becomes words: timeline, list, tray, notifications and CLI all ask here. */
import type { TimelineEvent } from '../events.ts'
import type { SessionSay } from '../state.ts'
import type { Language } from '../words.ts'

export interface Sentences {
  /** the state of a session as a person would say it, e.g. “Held: you are in the middle of a line” */
  say(say: SessionSay, now: number): string
  /** one line of the timeline */
  event(event: TimelineEvent): string
}

export type SentencesOf = (language: Language) => Sentences
