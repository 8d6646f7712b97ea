import { roundCounts } from '../join/counts.ts'
import { isKeepAlive } from '../join/event-bytes.ts'
import { Frame } from '../answer/frame.ts'
import type { Place, StreamRounds } from '../join/types.ts'
import { sseEvent } from '../sse/write.ts'
import * as facts from './facts.ts'
import { usageOfGemini } from './usage-dialects.ts'
import { asName, asObject, asText, parseObject, type JsonObject } from '../values.ts'

/** Stands between the texts of two rounds, which a client reads as one. */
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
/** A part that holds nothing but an empty text says nothing. */
const says = (part: JsonObject): boolean =>
  Object.entries(part).some(([name, value]) => (name === 'text' ? value !== '' : name !== 'thought'))
const ends = (value: JsonObject): boolean =>
  facts.candidates(value).some((candidate) => facts.finish(candidate) !== null) || facts.isBlocked(value)

/** The same parts, a paragraph before their first text. */
function afterParagraph(parts: readonly JsonObject[]): JsonObject[] {
  const first = parts.findIndex(isText)
  return parts.map((part, i) => (i === first ? { ...part, text: `${paragraph}${asText(part['text']) ?? ''}` } : part))
}

/** The same chunk with nothing said in it. */
function withoutWords(value: JsonObject): Frame {
  const candidates = facts.candidates(value).map((candidate) => ({
    ...candidate,
    content: { ...asObject(candidate['content']), parts: [{ text: '' }] },
  }))
  const without = { ...value, candidates }
  return Frame.of(Buffer.from(sseEvent(without)), Buffer.from(JSON.stringify(without)))
}

/** Joins streams of events: every chunk is one answer's, the finish and the counts come once, at the end. */
export function geminiRounds(): StreamRounds {
  const counts = geminiCounts()
  let responseId: string | null = null
  /** the client has read text of a round before, of this one */
  let textBefore = false
  let textNow = false
  /** the terminal events still hold their words */
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

  /** Of the last chunk of all: its words stay in it, as the provider sent them. */
  function lastParts(candidate: JsonObject): JsonObject[] {
    const parts = facts.parts(candidate).filter(says)
    if (parts.length === 0) return [{ text: '' }]
    return textBefore && !textNow ? afterParagraph(parts) : parts
  }

  /** A chunk as it continues the answer: no finish, no counts, its first text begins a paragraph. */
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
    place(event) {
      const value = event.value()
      if (value) return placeOf(value)
      return isKeepAlive(event) ? 'now' : 'drop'
    },
    write(event) {
      const value = event.value()
      return value ? continued(value) : event.raw
    },
    whole(ending, isLast) {
      let usage: JsonObject | null = null
      const left: Buffer[] = []
      for (const event of ending) {
        const value = event.value()
        if (!value) continue
        noteNames(value)
        usage = facts.usage(value) ?? usage
        // The last words of an answer come in one chunk with its finish.
        if (!isLast && partsIn(value).some(says)) left.push(continued(value))
      }
      counts.add(usage)
      wordsAtEnd = isLast
      if (isLast) return nothing
      textBefore ||= textNow
      textNow = false
      return Buffer.concat(left)
    },
    close: () => Buffer.alloc(0),
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
    // The last words of an answer come in one chunk with its finish: an answer that is held open shows them.
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
    // Google sends nothing but data lines; its CLI loses the answer on a comment, and bears silence.
    keepAlive: () => Buffer.alloc(0),
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

/** Joins whole answers: the last one with the parts of all, under the first one's id. */
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

/** The answer with a text of Onward's own behind what it says. */
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
