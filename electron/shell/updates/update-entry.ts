import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { UpdateRequest, UpdateState } from '../../../shared/updates.ts'
import type { Language } from '../../../shared/words.ts'
import { desktopWords } from '../words.ts'

/** The tray's entry about new versions. Progress is not in it: on Linux a menu that changes closes under the hand. */
export interface UpdateEntry {
  label: string
  /** null: it is under way */
  request: UpdateRequest | null
}

export function updateEntry(state: UpdateState, language: Language): UpdateEntry {
  const words = desktopWords(language)
  switch (state.kind) {
    case 'checking':
      return { label: words.checking, request: null }
    case 'available':
      return { label: words.getUpdate(state.version), request: 'download' }
    case 'downloading':
      return { label: words.gettingUpdate(state.version), request: null }
    case 'ready':
      return { label: words.restartTo(state.version), request: 'restart' }
    case 'failed':
      if (state.found) return { label: words.getUpdate(state.found.version), request: 'download' }
      break
    case 'idle':
    case 'by-hand':
    case 'current':
  }
  return { label: sentencesOf(language).tray.checkForUpdates, request: 'check' }
}
