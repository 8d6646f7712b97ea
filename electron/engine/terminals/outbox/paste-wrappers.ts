import type { ClientKind } from '../../../../shared/words.ts'

/**
 * How clients wrap a paste inside the user message they send. Data per client, measured; the id differs with every
 * paste and stands in both tags.
 */
export interface PasteWrapper {
  client: ClientKind
  /** up to the id */
  open: string
  /** behind the id */
  openEnd: string
  close(id: string): readonly string[]
}

export const pasteWrappers: readonly PasteWrapper[] = [
  {
    // Claude Code 2.1.330: pastes over 800 characters or of 4 and more lines
    client: 'claude',
    open: '<pasted_content id="',
    openEnd: '">',
    close: (id) => [`</pasted_content id="${id}">`, '</pasted_content>'],
  },
]

/** A message with more pastes than this is not searched further: the matcher stays linear on hostile input. */
const MAX_WRAPPERS = 64
const MAX_ID = 64

export interface Pasted {
  body: string
  start: number
  end: number
}

/** The bodies of all pastes in a text, in order, with the extent of their wrappers. */
export function pastesIn(text: string, wrappers: readonly PasteWrapper[] = pasteWrappers): Pasted[] {
  const found: Pasted[] = []
  for (const wrapper of wrappers) {
    let from = text.indexOf(wrapper.open)
    for (let n = 0; from !== -1 && n < MAX_WRAPPERS; n++) {
      const pasted = pasteAt(text, from, wrapper)
      if (pasted) found.push(pasted)
      from = text.indexOf(wrapper.open, pasted ? pasted.end : from + wrapper.open.length)
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

function pasteAt(text: string, start: number, wrapper: PasteWrapper): Pasted | null {
  const idAt = start + wrapper.open.length
  const idEnd = text.indexOf(wrapper.openEnd, idAt)
  if (idEnd === -1 || idEnd - idAt > MAX_ID) return null
  const bodyAt = idEnd + wrapper.openEnd.length
  for (const close of wrapper.close(text.slice(idAt, idEnd))) {
    const bodyEnd = text.indexOf(close, bodyAt)
    if (bodyEnd !== -1) return { body: text.slice(bodyAt, bodyEnd), start, end: bodyEnd + close.length }
  }
  return null
}
