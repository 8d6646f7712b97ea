import type { Message, ThinkingPart } from '../../canonical/request.ts'

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/** Visible text in front of something, and how to check that it is still the same. */
export interface TextBefore {
  /** UTF-16 units */
  length: number
  /** null: unknown */
  digest: string | null
}

export const noText: TextBefore = { length: 0, digest: null }

/** FNV-1a, 32 bits: it shows that a client has changed a text, and is no protection. */
export function textSoFar(text = ''): { add(text: string): void; readonly length: number; now(): TextBefore } {
  let hash = 0x811c9dc5
  const soFar = {
    length: 0,
    add(more: string) {
      soFar.length += more.length
      for (let i = 0; i < more.length; i++) hash = Math.imul(hash ^ more.charCodeAt(i), 0x01000193)
    },
    now: () => ({ length: soFar.length, digest: (hash >>> 0).toString(36) }),
  }
  soFar.add(text)
  return soFar
}

/** A thought of the model's, and what the model had said when it came. */
export interface PlacedThinking {
  part: ThinkingPart
  /** visible text in front of it */
  text: TextBefore
  /** calls in front of it */
  calls: number
}

/**
 * Chat keeps an answer's thoughts, words and calls apart. Puts them together in the order in which the model said them:
 * a provider that signs its thinking compares the order too. Words that the client changed are not taken apart.
 */
export function placeThinking(placed: readonly PlacedThinking[], said: readonly AssistantPart[]): AssistantPart[] {
  const words = said.filter((part) => part.type !== 'tool-call')
  const calls = said.filter((part) => part.type === 'tool-call')
  const whole = words.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const speech = speechOf(words)
  const parts: AssistantPart[] = []
  let called = 0
  for (const thought of placed) {
    const to = isSame(thought.text, whole) ? thought.text.length : thought.calls > 0 ? whole.length : 0
    parts.push(...speech.upTo(to), ...calls.slice(called, thought.calls), thought.part)
    called = Math.max(called, thought.calls)
  }
  return [...parts, ...speech.rest(), ...calls.slice(called)]
}

/** Words in their order, taken from the front; a text comes apart where something stood in it. */
function speechOf(words: readonly AssistantPart[]): { upTo(units: number): AssistantPart[]; rest(): AssistantPart[] } {
  const left = [...words]
  let said = 0
  return {
    upTo(units) {
      const taken: AssistantPart[] = []
      for (let next = left[0]; next && said < units; next = left[0]) {
        left.shift()
        const text = next.type === 'text' ? next.text : ''
        const length = Math.min(text.length, units - said)
        said += length
        if (next.type !== 'text' || length === text.length) taken.push(next)
        else {
          taken.push({ ...next, text: text.slice(0, length) })
          left.unshift({ ...next, text: text.slice(length) })
        }
      }
      return taken
    },
    rest: () => left.splice(0),
  }
}

const isSame = ({ length, digest }: TextBefore, whole: string): boolean =>
  length === 0 || (length <= whole.length && digest === textSoFar(whole.slice(0, length)).now().digest)
