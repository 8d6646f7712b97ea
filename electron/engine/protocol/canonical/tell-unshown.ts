import type { AnswerEvent, Citation, Emit } from './answer.ts'

export interface UnshownTeller {
  /** the answer's events, on their way to the client */
  emit: Emit
  /** something that the client's protocol can't show; `aside`: named only if the answer says nothing else */
  unshown(label: string, how?: 'aside'): void
}

/**
 * Names in the answer's text what the client can't be shown, each thing once: an answer without a word would look empty
 * to it, and a person would not know what is missing. The notes are blocks of their own, with numbers below zero.
 */
export function tellUnshown(emit: Emit): UnshownTeller {
  const named = new Set<string>()
  const asides = new Set<string>()
  const texts = new Set<number>()
  let notes = 0
  let says = false
  let textBefore = false
  let gap = false
  /** the text block that begins with a gap of ours, by which the places of its citations move */
  let shifted: number | null = null

  function note(label: string): void {
    if (named.has(label)) return
    named.add(label)
    const block = -++notes
    emit({ type: 'begin', block, part: { kind: 'text' } })
    emit({ type: 'delta', block, text: `${textBefore ? '\n\n' : ''}[${label}, not shown by this client]` })
    emit({ type: 'end', block })
    says = true
    textBefore = true
    gap = true
  }

  function delta(event: Extract<AnswerEvent, { type: 'delta' }>): void {
    says ||= event.text !== ''
    if (!texts.has(event.block) || event.text === '') return emit(event)
    textBefore = true
    if (!gap) return emit(event)
    gap = false
    shifted = event.block
    emit({ ...event, text: `\n\n${event.text}` })
  }

  return {
    unshown(label, how) {
      if (how === 'aside') asides.add(label)
      else note(label)
    },
    emit(event) {
      switch (event.type) {
        case 'begin':
          if (event.part.kind === 'text') texts.add(event.block)
          says ||= event.part.kind === 'tool-call' || event.part.kind === 'search'
          return emit(event)
        case 'delta':
          return delta(event)
        case 'citation':
          asides.add('sources')
          return emit(event.block === shifted ? { ...event, citation: moved(event.citation) } : event)
        case 'finish':
          if (!says) for (const label of asides) note(label)
          return emit(event)
        default:
          return emit(event)
      }
    },
  }
}

const moved = (citation: Citation): Citation => ({
  ...citation,
  start: citation.start === null ? null : citation.start + '\n\n'.length,
  end: citation.end === null ? null : citation.end + '\n\n'.length,
})
