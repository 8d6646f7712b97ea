import type { Place, StreamRounds } from '../join/types.ts'
import { roundCounts } from '../usage-sums.ts'
import { Frame } from '../answer/frame.ts'
import { sseEvent } from '../sse/write.ts'
import * as facts from './facts.ts'
import { usageOfGemini } from './facts.ts'
import { asName, asObject, asText, parseObject, type JsonObject } from '../values.ts'

/** Separates the texts of two rounds, which a client reads as one text. */
const paragraph = '\n\n'
const outputs = ['candidatesTokenCount', 'responseTokenCount', 'candidatesTokensDetails', 'thoughtsTokenCount'] as const

const nothing = Buffer.alloc(0)

const geminiCounts = () =>
  roundCounts({
    outputs,
    total: 'totalTokenCount',
    outputInTotal: (usage) => usageOfGemini(usage)?.output ?? 0,
  })

const isText = (part: JsonObject): boolean => Boolean(facts.text(part))
const partsIn = (value: JsonObject): JsonObject[] => facts.candidates(value).flatMap(facts.parts)
/** True unless the part holds nothing but an empty text. */
const says = (part: JsonObject): boolean =>
  Object.entries(part).some(([name, value]) => (name === 'text' ? value !== '' : name !== 'thought'))
const ends = (value: JsonObject): boolean =>
  facts.candidates(value).some((candidate) => facts.finish(candidate) !== null) || facts.isBlocked(value)

/** Returns the same parts, with a paragraph break before their first text. */
function afterParagraph(parts: readonly JsonObject[]): JsonObject[] {
  const first = parts.findIndex(isText)
  return parts.map((part, i) => (i === first ? { ...part, text: `${paragraph}${asText(part['text']) ?? ''}` } : part))
}

/** Returns the same chunk with an empty text. */
function withoutWords(value: JsonObject): Frame {
  const candidates = facts.candidates(value).map((candidate) => ({
    ...candidate,
    content: { ...asObject(candidate['content']), parts: [{ text: '' }] },
  }))
  const without = { ...value, candidates }
  return Frame.of(Buffer.from(sseEvent(without)), Buffer.from(JSON.stringify(without)))
}

/**
 * Joins streams of events: all chunks look like one answer's, and the finish and the counts come once, at the end. No
 * sign of life: Google sends nothing but data lines; its CLI loses the answer at a comment, and tolerates silence.
 */
export function geminiRounds(): StreamRounds {
  const counts = geminiCounts()
  let responseId: string | null = null
  /** the client has seen text of an earlier round, or of this one */
  let textBefore = false
  let textNow = false
  /** the text in the terminal events has not been sent yet */
  let wordsAtEnd = false
  let modelVersion: string | null = null

  const identity = (): JsonObject => (responseId === null ? {} : { responseId })

  function noteNames(value: JsonObject): void {
    responseId ??= asName(value['responseId'])
    modelVersion ??= asName(value['modelVersion'])
  }

  function placeOf(value: JsonObject): Place {
    if (facts.error(value)) return 'drop'
    const parts = partsIn(value)
    if (parts.some((part) => facts.call(part) !== null)) return 'tool'
    if (parts.some(isText)) return 'text'
    if (parts.some((part) => part['thought'] === true)) return 'before-text'
    return parts.some(says) ? 'follow' : 'drop'
  }

  /** Returns the parts of the very last chunk: it keeps its text, as the provider sent it. */
  function lastParts(candidate: JsonObject): JsonObject[] {
    const parts = facts.parts(candidate).filter(says)
    if (parts.length === 0) return [{ text: '' }]
    return textBefore && !textNow ? afterParagraph(parts) : parts
  }

  /** Returns a chunk that continues the answer: no finish, no counts, and its first text begins a paragraph. */
  function continued(value: JsonObject): Buffer {
    const { usageMetadata: _counts, ...rest } = value
    const candidates = facts.candidates(value).map((candidate) => {
      const { finishReason: _finish, finishMessage: _message, ...open } = candidate
      const parts = facts.parts(candidate).filter(says)
      const begins = textBefore && !textNow
      if (parts.some(isText)) textNow = true
      return { ...open, content: { ...asObject(candidate['content']), parts: begins ? afterParagraph(parts) : parts } }
    })
    return Buffer.from(sseEvent({ ...rest, ...identity(), candidates }))
  }

  return {
    endsRound(event) {
      const value = event.value()
      return value !== null && ends(value)
    },
    note(event) {
      const value = event.value()
      if (!value) return
      noteNames(value)
      if (partsIn(value).some(isText)) textNow = true
    },
    place: placeOf,
    write: continued,
    whole(ending, isLast) {
      let usage: JsonObject | null = null
      const left: Buffer[] = []
      for (const event of ending) {
        const value = event.value()
        if (!value) continue
        noteNames(value)
        usage = facts.usage(value) ?? usage
        // The last text of an answer comes in one chunk with its finish.
        if (!isLast && partsIn(value).some(says)) left.push(continued(value))
      }
      counts.add(usage)
      wordsAtEnd = isLast
      if (isLast) return nothing
      textBefore ||= textNow
      textNow = false
      return Buffer.concat(left)
    },
    say(text) {
      const line = { text: textBefore ? paragraph + text : text }
      textBefore = true
      return Buffer.from(
        sseEvent({
          candidates: [{ content: { role: 'model', parts: [line] }, index: 0 }],
          ...(modelVersion === null ? {} : { modelVersion }),
          ...identity(),
        }),
      )
    },
    // The last text of an answer comes in one chunk with its finish: it is shown while the answer is held open.
    words(ending) {
      const shown: Buffer[] = []
      const left = ending.map((event) => {
        const value = event.value()
        if (!value || !partsIn(value).some(says)) return event
        shown.push(continued(value))
        return withoutWords(value)
      })
      return { shown: Buffer.concat(shown), ending: left }
    },
    ending: (events) =>
      Buffer.concat(
        events.map((event: Frame) => {
          const value = event.value()
          if (!value) return event.raw
          const candidates = facts.candidates(value).map((candidate) => ({
            ...candidate,
            content: { role: 'model', parts: wordsAtEnd ? lastParts(candidate) : [{ text: '' }] },
          }))
          return Buffer.from(
            sseEvent({
              ...value,
              ...identity(),
              candidates,
              ...(facts.usage(value) ? { usageMetadata: counts.total() } : {}),
            }),
          )
        }),
      ),
  }
}

/** Joins whole answers: returns the last one with the parts of all, under the first one's id. */
export function joinGemini(bodies: readonly Buffer[]): Buffer {
  const counts = geminiCounts()
  const values = bodies.map((body) => parseObject(body) ?? {})
  for (const value of values) counts.add(facts.usage(value))
  const last = values.at(-1) ?? {}
  const parts = values.reduce<JsonObject[]>((before, value) => {
    const more = facts.parts(facts.candidates(value)[0]).filter(says)
    return [...before, ...(before.some(isText) ? afterParagraph(more) : more)]
  }, [])
  const [candidate = {}] = facts.candidates(last)
  const id = asName(values[0]?.['responseId'])
  return Buffer.from(
    JSON.stringify({
      ...last,
      ...(id === null ? {} : { responseId: id }),
      candidates: [{ ...candidate, content: { role: 'model', ...asObject(candidate['content']), parts } }],
      ...(facts.usage(last) ? { usageMetadata: counts.total() } : {}),
    }),
  )
}

/** Returns the answer with a text of Onward's own at its end. */
export function sayGemini(body: Buffer, text: string): Buffer {
  const value = parseObject(body) ?? {}
  const [candidate = { index: 0 }, ...others] = facts.candidates(value)
  const parts = facts.parts(candidate).filter(says)
  const line = { text: parts.some(isText) ? paragraph + text : text }
  return Buffer.from(
    JSON.stringify({
      ...value,
      candidates: [
        { ...candidate, content: { role: 'model', ...asObject(candidate['content']), parts: [...parts, line] } },
        ...others,
      ],
    }),
  )
}
