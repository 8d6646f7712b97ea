import type { AnswerEvent, AnswerUsage, BlockKind, Citation, SearchBlock } from '../../canonical/answer.ts'
import type { StreamWriter, WriteContext } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { writeCitation } from './citations.ts'
import { carrierOf, redactedData, signatureOf } from './client-seal.ts'
import { errorMember } from '../errors.ts'
import { messageStart, messageEnd } from './message.ts'
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
