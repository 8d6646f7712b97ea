/** Loads a language when it is wanted: a person reads only one, and each is as heavy as a view. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Language } from '../../shared/words.ts'
import type { Spoken } from './index.ts'

export interface Speech {
  /** the language that is shown: the wanted one, and until it is there the one before */
  spoken: StoreApi<Spoken>
  /** the wanted language from now on, shown as soon as it is there; after a failed load the one before stays */
  want(language: Language): void
}

export type LoadSpoken = (language: Language) => Promise<Spoken>

export const loadSpoken: LoadSpoken = async (language) =>
  (language === 'en' ? await import('./spoken-en.ts') : await import('./spoken-zh-CN.ts')).spoken

/** @param first loaded before anything is painted, so that nothing is painted twice */
export function createSpeech(first: Spoken, load: LoadSpoken): Speech {
  const spoken = createStore<Spoken>(() => first)
  let wanted = first.language
  return {
    spoken,
    want(language) {
      wanted = language
      if (spoken.getState().language === language) return
      load(language).then(
        (loaded) => {
          // Another one may have been chosen while this one came.
          if (wanted === language) spoken.setState(loaded, true)
        },
        () => {
          // The next change asks again.
          if (wanted === language) wanted = spoken.getState().language
        },
      )
    },
  }
}
