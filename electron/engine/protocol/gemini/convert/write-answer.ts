import type { AnswerEvent, AnswerFinish, AnswerUsage, Citation, SearchBlock } from '../../canonical/answer.ts'
import type { WriteContext, BodyWriter, StreamWriter } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { sourceOnly } from '../../canonical/sources/append-sources.ts'
import { utf8Places, type Utf8Places } from '../../canonical/sources/utf8-places.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import { finishWords } from '../../finish-names.ts'
import { type JsonObject, asObject } from '../../values.ts'
import { geminiErrorEvent } from '../errors.ts'
import { writeUsage } from '../facts.ts'
import type { Draft } from './members.ts'
import { isSealOfText, signatureOf } from './seals.ts'

/** Takes an answer in Gemini's parts, to write it as chunks or as one body. Parts are JSON. */
interface PartSink {
  text(text: string, thought: boolean): void
  /** takes a whole part */
  part(json: string): void
  /** `grounding`: `groundingMetadata` of the candidate */
  finish(reason: string, usage: AnswerUsage | null, grounding: JsonObject | null): void
}

/** The names in an answer that are known from its start. */
interface AnswerNames {
  responseId: string
  modelVersion: string
}

const namesOf = (event: { model: string | null }, context: WriteContext): AnswerNames => ({
  responseId: context.newId('resp_'),
  modelVersion: event.model ?? context.model,
})

function partWriter(sink: PartSink, context: WriteContext): (event: Exclude<AnswerEvent, { type: 'error' }>) => void {
  let call: { id: string; name: string; pieces: string[]; seal: Seal | null } | null = null
  let thought = false
  let malformed = false
  let startUsage: AnswerUsage | null = null
  const citations = citationWriter(context.dropped)

  /** Gemini sends only whole calls, and none whose arguments are no object or were cut off. */
  function endCall({ id, name, pieces, seal }: NonNullable<typeof call>): void {
    const json = pieces.join('')
    if (argumentsObject(json) === null) {
      malformed = true
      return context.dropped('functionCall.args')
    }
    // White space between tokens may hold line ends, which would end the event's line.
    const args = /^\s*(?:null\s*)?$/.test(json) ? '{}' : json.replaceAll(/[\r\n]+/g, ' ')
    const signature = seal ? `,"thoughtSignature":${JSON.stringify(signatureOf(seal))}` : ''
    sink.part(`{"functionCall":{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${args}}${signature}}`)
  }

  return (event) => {
    switch (event.type) {
      case 'start':
        startUsage = event.usage
        return
      case 'begin':
        thought = event.part.kind === 'thinking'
        if (event.part.kind === 'search') return citations.search(event.part)
        if (event.part.kind === 'text') citations.begin(event.block)
        call =
          event.part.kind === 'tool-call' ? { id: event.part.id, name: event.part.name, pieces: [], seal: null } : null
        return
      case 'delta':
        if (call) call.pieces.push(event.text)
        else if (event.text !== '') {
          if (!thought) citations.text(event.text)
          sink.text(event.text, thought)
        }
        return
      case 'citation':
        return citations.add(event.block, event.citation)
      case 'seal':
        if (call) call.seal = event.seal
        else
          sink.part(
            `{"text":""${isSealOfText(event.seal) ? '' : ',"thought":true'},` +
              `"thoughtSignature":${JSON.stringify(signatureOf(event.seal))}}`,
          )
        return
      case 'end':
        if (call) endCall(call)
        call = null
        return
      case 'finish':
        if (event.stopSequence !== null) context.dropped('stopSequence')
        if (event.reason === 'pause-turn' || event.reason === 'incomplete') context.dropped(event.reason)
        if (event.usage && event.usage.cacheWrite > 0) context.dropped('usage.cacheWrite')
        return sink.finish(reasonOf(event.reason, malformed), event.usage ?? startUsage, citations.metadata())
    }
  }
}

/**
 * FinishReason of the Gemini API. A call that is no JSON object has no form in Gemini, so it counts as malformed,
 * except in an answer cut off by its limit, where it is expected.
 */
const reasonOf = (finish: AnswerFinish, malformed: boolean): string =>
  malformed && finish !== 'length' ? 'MALFORMED_FUNCTION_CALL' : finishWords.gemini[finish]

export function writeBody(context: WriteContext): BodyWriter {
  const parts: Draft[] = []
  const body: Draft = {}
  let texts: string[] = []
  let thought = false
  let names: JsonObject = {}
  const close = () => {
    if (texts.length > 0) parts.push({ text: texts.join(''), ...(thought && { thought: true }) })
    texts = []
  }
  const write = partWriter(
    {
      text(text, isThought) {
        if (isThought !== thought) close()
        thought = isThought
        texts.push(text)
      },
      part(json) {
        const goesOn = texts.length > 0
        close()
        addPart(parts, asObject(JSON.parse(json)) ?? {}, goesOn)
      },
      finish(reason, usage, grounding) {
        close()
        body['candidates'] = [
          {
            content: { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' },
            finishReason: reason,
            ...(grounding && { groundingMetadata: grounding }),
            index: 0,
          },
        ]
        if (usage) body['usageMetadata'] = writeUsage(usage)
        Object.assign(body, names)
      },
    },
    context,
  )
  return {
    add(event) {
      if (event.type === 'error') return
      if (event.type === 'start') names = { ...namesOf(event, context) }
      if (event.type === 'end') close()
      write(event)
    },
    body: () => body,
  }
}

/**
 * In one body a signature is on the part it is for; in a stream that part was already sent. `goesOn`: in the same
 * block.
 */
function addPart(parts: Draft[], part: JsonObject, goesOn: boolean): void {
  const last = parts.at(-1)
  const isFor =
    part['text'] === '' &&
    last?.['text'] !== undefined &&
    last['thoughtSignature'] === undefined &&
    last['thought'] === part['thought'] &&
    (goesOn || part['thought'] !== true)
  if (last && isFor) last['thoughtSignature'] = part['thoughtSignature']
  else parts.push({ ...part })
}

/**
 * Writes every chunk as a whole GenerateContentResponse, and gives the last one a part too: SDKs remove an answer with
 * a chunk without parts from the history they keep (isValidResponse of @google/genai).
 */
export function writeStream(context: WriteContext): StreamWriter {
  let out = ''
  let responseId = ''
  let tail = ''
  let ended = false
  const chunk = (part: string, more: string, usage: string) => {
    out += `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${more},"index":0}]${usage}${tail}\n\n`
  }
  const write = partWriter(
    {
      text: (text, thought) => chunk(`{"text":${JSON.stringify(text)}${thought ? ',"thought":true' : ''}}`, '', ''),
      part: (json) => chunk(json, '', ''),
      finish: (reason, usage, grounding) =>
        chunk(
          '{"text":""}',
          `,"finishReason":"${reason}"${grounding ? `,"groundingMetadata":${JSON.stringify(grounding)}` : ''}`,
          usage ? `,"usageMetadata":${JSON.stringify(writeUsage(usage))}` : '',
        ),
    },
    context,
  )
  return {
    write(event) {
      if (ended) return ''
      ended = event.type === 'finish' || event.type === 'error'
      if (event.type === 'error')
        return geminiErrorEvent({ code: event.code, message: event.message, requestId: responseId }).toString('utf8')
      if (event.type === 'start') {
        const names = namesOf(event, context)
        responseId = names.responseId
        tail = `,"modelVersion":${JSON.stringify(names.modelVersion)},"responseId":${JSON.stringify(names.responseId)}}`
      }
      out = ''
      write(event)
      return out
    },
  }
}

interface CitationWriter {
  begin(block: number): void
  text(text: string): void
  add(block: number, citation: Citation): void
  search(search: SearchBlock): void
  /** `groundingMetadata` of the candidate; null without any source */
  metadata(): JsonObject | null
}

/**
 * Writes sources as Gemini names them at the end of its answer (GroundingMetadata of @google/genai): each once, and the
 * parts of the text that rest on it by their bytes in all of the answer's text, as its SDKs join it.
 */
function citationWriter(dropped: (name: string) => void): CitationWriter {
  const places: Utf8Places = utf8Places()
  const begins = new Map<number, number>()
  const chunks: JsonObject[] = []
  const indexes = new Map<string, number>()
  const queries = new Set<string>()
  const pages: { url: string; title: string | null }[] = []
  const supports = new Map<string, { segment: JsonObject; groundingChunkIndices: number[] }>()

  function indexOf({ url, title, quote }: Citation): number {
    const key = JSON.stringify([url, title, url === null ? quote : null])
    const before = indexes.get(key)
    if (before !== undefined) return before
    // A web page has no member for a quote, and a document has no address to require.
    if (url !== null && quote !== null) dropped('citations.quote')
    chunks.push(
      url === null
        ? { retrievedContext: { ...(title !== null && { title }), ...(quote !== null && { text: quote }) } }
        : { web: { uri: url, ...(title !== null && { title }) } },
    )
    indexes.set(key, chunks.length - 1)
    return chunks.length - 1
  }

  return {
    begin(block) {
      begins.set(block, places.units())
    },
    text: (text) => places.add(text),
    search({ queries: asked, found, failed }) {
      for (const query of asked) queries.add(query)
      pages.push(...found)
      if (failed !== null) dropped('web_search.error')
    },
    add(block, citation) {
      const index = indexOf(citation)
      const base = begins.get(block)
      const { start, end } = citation
      if (base === undefined || start === null || end === null) return
      const startIndex = places.byteAt(base + start)
      const endIndex = places.byteAt(base + end)
      if (startIndex === null || endIndex === null) return dropped('citations.start')
      const key = `${startIndex}-${endIndex}`
      const support = supports.get(key) ?? { segment: { startIndex, endIndex }, groundingChunkIndices: [] }
      if (!support.groundingChunkIndices.includes(index)) support.groundingChunkIndices.push(index)
      supports.set(key, support)
    },
    metadata() {
      // Found pages are not sources yet: they are written as sources only if the text names none.
      if (chunks.length > 0 && pages.length > 0) dropped('web_search.results')
      else for (const { url, title } of pages) indexOf(sourceOnly(url, title))
      if (chunks.length + queries.size === 0) return null
      return {
        ...(queries.size > 0 && { webSearchQueries: [...queries] }),
        ...(chunks.length > 0 && { groundingChunks: chunks }),
        ...(supports.size > 0 && { groundingSupports: [...supports.values()] }),
      }
    },
  }
}
