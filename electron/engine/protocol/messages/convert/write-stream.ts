import type { AnswerEvent, AnswerUsage, BlockKind, Citation, SearchBlock } from '../../canonical/answer.ts'
import type { StreamWriter, WriteContext, BodyWriter } from '../../canonical/codec.ts'
import { isCutOff } from '../../canonical/json-end.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import type { JsonObject } from '../../values.ts'
import { errorMember } from '../errors.ts'
import { writeUsage, writeFinish } from '../facts.ts'
import { writeCitation } from './citations.ts'
import { searchBlocks } from './web-search.ts'

/**
 * Writes `message_start` to `message_stop`. A block goes out with its first content, so that none is empty: clients
 * would send it back, and Anthropic refuses it.
 */
export function writeMessagesStream(context: WriteContext): StreamWriter {
  let index = 0
  let part: BlockKind | null = null
  let block: number | null = null
  /** citations that came before their text */
  let early: string[] = []
  let isOpen = false
  let seal: Seal | null = null
  let usage: AnswerUsage | null = null
  const shown = { calls: false, refusal: '', searches: 0 }
  let ended = false

  /** `content_block_start`, when it was not written yet */
  function open(): string {
    if (isOpen || part === null) return ''
    isOpen = true
    return startOf(index, emptyBlock(part))
  }

  function delta(text: string): string {
    if (part === null || text === '') return ''
    if (part.kind === 'refusal') shown.refusal += text
    const [type, member] = part.kind === 'thinking' ? thinkingDelta : part.kind === 'tool-call' ? inputDelta : textDelta
    const said = open() + deltaOf(index, `"type":"${type}","${member}":${JSON.stringify(text)}`)
    if (early.length === 0) return said
    const cited = early.join('')
    early = []
    return said + cited
  }

  /** A block that has stopped takes no more citations. */
  function cite(of: number, citation: Citation): string {
    if (of !== block) {
      context.dropped('citations')
      return ''
    }
    const written = writeCitation(citation, context.dropped)
    if (!written) return ''
    const event = deltaOf(index, `"type":"citations_delta","citation":${JSON.stringify(written)}`)
    if (isOpen) return event
    early.push(event)
    return ''
  }

  function addSeal(newer: Seal): string {
    // In front of its call while that is not out yet: thinking may not be the last block of a message.
    if (part?.kind === 'tool-call' && !isOpen) return carrier(newer, part.id)
    seal = newer
    return ''
  }

  function end(): string {
    const ending = endOf()
    if (early.length > 0) context.dropped('citations')
    early = []
    part = null
    block = null
    isOpen = false
    seal = null
    return ending
  }

  function endOf(): string {
    if (part === null) return ''
    if (part.kind === 'thinking') {
      const redacted = isOpen ? null : redactedData(seal)
      if (redacted !== null)
        return startOf(index, `{"type":"redacted_thinking","data":${JSON.stringify(redacted)}}`) + stop()
      if (!isOpen && seal === null) return ''
      return open() + signature(index, signatureOf(seal)) + stop()
    }
    const callId = part.kind === 'tool-call' ? part.id : null
    const closed = callId !== null || isOpen ? open() + stop() : ''
    return seal === null ? closed : closed + carrier(seal, callId)
  }

  const carrier = (of: Seal, callId: string | null): string =>
    startOf(index, emptyThinking) + signature(index, carrierOf(of, callId)) + stop()
  const stop = (): string => stopOf(index++)

  function begin(number: number, kind: BlockKind): string {
    const before = end()
    if (kind.kind === 'search') {
      shown.searches++
      return before + searchEvents(kind, context, index++, index++)
    }
    block = number
    part = kind
    shown.calls ||= kind.kind === 'tool-call'
    return before
  }

  return {
    write(event: AnswerEvent) {
      if (ended) return ''
      switch (event.type) {
        case 'delta':
          return delta(event.text)
        case 'begin':
          return begin(event.block, event.part)
        case 'seal':
          return addSeal(event.seal)
        case 'citation':
          return cite(event.block, event.citation)
        case 'end':
          return end()
        case 'start':
          usage = event.usage
          return named('message_start', `"message":${JSON.stringify(messageStart(event, context))}`)
        case 'finish':
          ended = true
          return end() + endEvents({ ...event, usage: event.usage ?? usage }, shown, context)
        case 'error':
          ended = true
          return named('error', `"error":${JSON.stringify(errorMember(event))}`)
      }
    },
  }
}

const emptyThinking = '{"type":"thinking","thinking":"","signature":""}'

function emptyBlock(part: BlockKind): string {
  if (part.kind === 'thinking') return emptyThinking
  return part.kind === 'tool-call'
    ? `{"type":"tool_use","id":${JSON.stringify(part.id)},"name":${JSON.stringify(part.name)},"input":{}}`
    : '{"type":"text","text":""}'
}

const thinkingDelta = ['thinking_delta', 'thinking'] as const
const inputDelta = ['input_json_delta', 'partial_json'] as const
const textDelta = ['text_delta', 'text'] as const

function endEvents(...[event, shown, context]: Parameters<typeof messageEnd>): string {
  const { usage, ...reasons } = messageEnd(event, shown, context)
  const counted = named('message_delta', `"delta":${JSON.stringify(reasons)},"usage":${JSON.stringify(usage)}`)
  return `${counted}event: message_stop\ndata: {"type":"message_stop"}\n\n`
}

function searchEvents(of: SearchBlock, { newId }: WriteContext, asked: number, answered: number): string {
  const [call, result] = searchBlocks(of, newId)
  const input = `"type":"input_json_delta","partial_json":${JSON.stringify(JSON.stringify(call?.['input']))}`
  const question = startOf(asked, JSON.stringify({ ...call, input: {} })) + deltaOf(asked, input) + stopOf(asked)
  return question + startOf(answered, JSON.stringify(result)) + stopOf(answered)
}

const named = (type: string, members: string): string => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
const deltaOf = (index: number, members: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{${members}}}\n\n`
const startOf = (index: number, block: string): string =>
  `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${block}}\n\n`
const stopOf = (index: number): string =>
  `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`
const signature = (index: number, data: string): string =>
  deltaOf(index, `"type":"signature_delta","signature":${JSON.stringify(data)}`)

interface Block {
  part: BlockKind
  texts: string[]
  citations: JsonObject[]
  seal: Seal | null
}

/** Collects a whole message, its blocks in the order they began. */
export function writeMessagesBody(context: WriteContext): BodyWriter {
  const blocks = new Map<number, Block>()
  let start: Extract<AnswerEvent, { type: 'start' }> = { type: 'start', model: null, usage: null }
  let finish: Extract<AnswerEvent, { type: 'finish' }> | null = null
  let error: Extract<AnswerEvent, { type: 'error' }> | null = null

  return {
    add(event) {
      switch (event.type) {
        case 'start':
          start = event
          return
        case 'begin':
          blocks.set(event.block, { part: event.part, texts: [], citations: [], seal: null })
          return
        case 'delta':
          blocks.get(event.block)?.texts.push(event.text)
          return
        case 'seal': {
          const block = blocks.get(event.block)
          if (block) block.seal = event.seal
          return
        }
        case 'citation': {
          const citation = writeCitation(event.citation, context.dropped)
          if (citation) blocks.get(event.block)?.citations.push(citation)
          return
        }
        case 'end':
          return
        case 'finish':
          finish = event
          return
        case 'error':
          error = event
          return
      }
    },
    body() {
      if (error || !finish)
        return {
          type: 'error',
          error: errorMember(
            error ?? { code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' },
          ),
        }
      const parts = [...blocks.values()]
      if (parts.some(({ citations, texts }) => citations.length > 0 && texts.length === 0)) context.dropped('citations')
      const shown = {
        searches: parts.filter(({ part }) => part.kind === 'search').length,
        calls: parts.some(({ part }) => part.kind === 'tool-call'),
        refusal: parts.flatMap(({ part, texts }) => (part.kind === 'refusal' ? texts : [])).join(''),
      }
      const ending = messageEnd({ ...finish, usage: finish.usage ?? start.usage }, shown, context)
      const [whole, cut] = [parts.filter((part) => !isHalf(part)), parts.filter(isHalf)]
      if (cut.length > 0) context.dropped('tool_use that was cut off')
      return {
        ...messageStart(start, context),
        content: whole.flatMap((block) => contentOf(block, context)),
        ...ending,
      }
    },
  }
}

/** Arguments are an object here: half of one, from an answer that its limit cut off, would look like a whole one. */
const isHalf = ({ part, texts }: Block): boolean => part.kind === 'tool-call' && isCutOff(texts.join(''))

function contentOf({ part, texts, citations, seal }: Block, context: WriteContext): JsonObject[] {
  const text = texts.join('')
  switch (part.kind) {
    case 'thinking': {
      const redacted = text === '' ? redactedData(seal) : null
      if (redacted !== null) return [{ type: 'redacted_thinking', data: redacted }]
      return text === '' && seal === null ? [] : [{ type: 'thinking', thinking: text, signature: signatureOf(seal) }]
    }
    case 'search':
      return searchBlocks(part, context.newId)
    case 'tool-call': {
      const call = { type: 'tool_use', id: part.id, name: part.name, input: argumentsObject(text) ?? {} }
      return seal ? [carrier(seal, part.id), call] : [call]
    }
    default: {
      const said = text === '' ? [] : [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
      return seal ? [...said, carrier(seal, null)] : said
    }
  }
}

const carrier = (seal: Seal, callId: string | null): JsonObject => ({
  type: 'thinking',
  thinking: '',
  signature: carrierOf(seal, callId),
})

type Start = Extract<AnswerEvent, { type: 'start' }>
type Finish = Extract<AnswerEvent, { type: 'finish' }>

/** A message at its beginning: counts that are not known yet are 0, and come with its end. */
const messageStart = ({ model, usage }: Start, context: WriteContext) => ({
  id: context.newId('msg_'),
  type: 'message',
  role: 'assistant',
  model: model ?? context.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: writeUsage(usage),
})

/**
 * The members of a message at its end. Where a provider does not say which stop sequence it was, it was the client's
 * only one.
 */
const messageEnd = (
  { reason, stopSequence, usage }: Finish,
  shown: { calls: boolean; refusal: string; searches: number },
  { request, dropped }: WriteContext,
) => {
  if (reason === 'incomplete') dropped('stop_reason')
  const only = request.stop.length === 1 ? request.stop[0] : undefined
  const stopReason = writeFinish(reason, { calls: shown.calls, refusal: shown.refusal !== '' })
  const explained = stopReason === 'refusal' && shown.refusal !== ''
  return {
    stop_reason: stopReason,
    stop_sequence: reason === 'stop-sequence' ? (stopSequence ?? only ?? null) : null,
    // The words are a text as well: older clients read no details.
    ...(explained && { stop_details: { type: 'refusal', category: null, explanation: shown.refusal } }),
    usage: { ...writeUsage(usage), ...searchCount(shown.searches) },
  }
}

const searchCount = (searches: number) =>
  searches > 0 ? { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } } : {}

/** No provider's: a thinking block needs a signature, and comes back without a seal. */
const none: Seal = { of: 'chat', data: '' }

/** The signature of a thinking block; one of another vendor is wrapped. */
const signatureOf = (seal: Seal | null): string => sealForClient(seal ?? none, 'messages')

/** The data of a `redacted_thinking` block, where it is this vendor's own. */
const redactedData = (seal: Seal | null): string | null => (seal?.redacted && seal.of === 'messages' ? seal.data : null)

/**
 * A call has no place for a seal (Gemini's thought signature), so an empty thinking block that names the call carries
 * it. The request reader lays it back on the call.
 */
const carrierOf = (seal: Seal, callId: string | null): string =>
  signatureOf(callId === null ? seal : { ...seal, id: callId })
