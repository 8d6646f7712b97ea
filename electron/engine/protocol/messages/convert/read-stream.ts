import { type ReadContext, type StreamReader, noteMembers, type KnownMembers } from '../../canonical/codec.ts'
import { knownMeaning } from '../../finish-names.ts'
import { errorIn, beginnings, restarted, eventType } from '../../observe/peek.ts'
import { asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { mergeCounts, usageOfMessage, endOfMessage, sayRefusal } from '../facts.ts'
import {
  addCitation,
  beginBlock,
  endBlock,
  sayLeftSearches,
  sayText,
  sealBlock,
  type OpenBlock,
  type Searches,
} from './read-block.ts'

/** The kind of block that a delta belongs to; other deltas can be of any. */
const kindOfDelta: Partial<Record<string, OpenBlock['kind']>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool-call',
}

/** Reads `message_start` to `message_stop`, whatever a vendor leaves out between them. */
export function readMessagesStream(context: ReadContext): StreamReader {
  const { emit, dropped } = context
  const blocks = messageBlocks(context, () => start({}))
  const begins = beginnings()
  let counts: JsonObject = {}
  let started = false
  let ended = false
  let reason: string | null = null
  let stopSequence: string | null = null
  let stopDetails: JsonObject | null = null

  function start(message: JsonObject): void {
    if (started) return
    started = true
    emit({ type: 'start', model: asName(message['model']), usage: usageOfMessage(counts) })
  }

  /** An answer that comes from code run by Anthropic is whole in its start, reason and all; nothing has to follow. */
  function readWhole(message: JsonObject): void {
    reason = facts.finish(message)
    stopSequence = asText(message['stop_sequence'])
    stopDetails = asObject(message['stop_details'])
    for (const [index, content] of facts.blocks(message).entries())
      if (content['text'] !== '') blocks.whole(index, content)
  }

  function finish(): void {
    start({})
    blocks.endAll()
    const usage = usageOfMessage(counts)
    const end = endOfMessage(reason, blocks.hasToolUse)
    if (end.kind === 'failed') return fail(end.code, end.message)
    ended = true
    if (reason !== null && knownMeaning(reason) === null) dropped('stop_reason')
    sayRefusal(stopDetails, blocks.sayLeft(), context)
    emit({ type: 'finish', reason: end.reason, stopSequence, usage })
  }

  function fail(code: string, message: string): void {
    ended = true
    emit({ type: 'error', code, message })
  }

  /** Members of an event that concern the whole message are named as in a body. */
  function note(type: string, value: JsonObject): void {
    const members = eventMembers[type]
    if (members) noteMembers(value, members, type.startsWith('message_') ? '' : `${type}.`, dropped)
    else if (type !== 'error' && type !== 'ping') dropped(`event ${type}`)
  }

  function read(type: string, value: JsonObject): void {
    note(type, value)
    switch (type) {
      case 'content_block_delta':
        return blocks.delta(asNumber(value['index']) ?? 0, asObject(value['delta']) ?? {})
      case 'content_block_start':
        return blocks.begin(asNumber(value['index']) ?? 0, facts.block(value))
      case 'content_block_stop':
        return blocks.end(asNumber(value['index']) ?? 0)
      case 'message_start': {
        const message = facts.start(value)
        if (begins.again(message, blocks.said)) return fail(restarted.code, restarted.message)
        counts = mergeCounts(counts, facts.usage(message))
        if (started) return
        noteMembers(message, messageMembers, '', dropped)
        start(message)
        return readWhole(message)
      }
      case 'message_delta': {
        const changed = asObject(value['delta']) ?? {}
        reason = facts.finish(value) ?? reason
        stopSequence = asText(changed['stop_sequence']) ?? stopSequence
        stopDetails = asObject(changed['stop_details']) ?? stopDetails
        noteMembers(changed, endMembers, '', dropped)
        counts = mergeCounts(counts, facts.usage(value))
        return
      }
      case 'message_stop':
        return finish()
      case 'error': {
        const { code, message } = facts.error(value)
        return fail(code, message)
      }
    }
  }

  return {
    event(frame) {
      if (ended) return
      if (frame.truncated)
        return fail('upstream-bad-event', 'An event of the provider is larger than what can be read.')
      const value = frame.value()
      if (value) return read(eventType(frame), value)
      // Some gateways end every stream with what Chat ends with.
      const data = frame.latin1.trim()
      if (data !== '' && data !== '[DONE]' && frame.name !== 'ping')
        fail('upstream-bad-event', 'The provider sent an event that is no JSON.')
    },
    end() {
      if (!ended) fail('upstream-broke-off', 'The provider ended its answer in the middle.')
    },
  }
}

/** The blocks of a message that comes in events. `start`: the message begins, if it has not. */
function messageBlocks(context: ReadContext, start: () => void) {
  const { emit, dropped } = context
  /** by the provider's index */
  const open = new Map<number, OpenBlock>()
  const searches: Searches = new Map()
  let count = 0

  function begin(index: number, content: JsonObject): OpenBlock {
    start()
    // Blocks come one after the other; a vendor that forgets to stop a block has begun the next.
    for (const [at, block] of open) if (at === index || block.kind !== 'tool-call') endAt(at, block)
    const block = beginBlock(content, count, searches, context)
    if (block.block !== null) count++
    blocks.hasToolUse ||= block.kind === 'tool-call'
    blocks.said ||= asName(content['text']) !== null
    open.set(index, block)
    return block
  }

  function endAt(index: number, block: OpenBlock): void {
    endBlock(block, context)
    open.delete(index)
  }

  /**
   * The block a delta belongs to. LiteLLM writes thinking into a block that it began as text
   * (https://github.com/BerriAI/litellm/issues/32357): words of another kind begin a block of their own.
   */
  function blockFor(index: number, type: string): OpenBlock | null {
    const found = open.get(index)
    const kind = kindOfDelta[type]
    if (found && (kind === undefined || found.kind === null || found.kind === kind)) return found
    return type === 'text_delta' || type === 'thinking_delta' ? begin(index, { type: kind }) : null
  }

  function say(block: number, text: unknown): void {
    if (typeof text === 'string' && text !== '') emit({ type: 'delta', block, text })
  }

  const blocks = {
    hasToolUse: false,
    /** more came than the beginning of a block, after which LiteLLM sends the same `message_start` again */
    said: false,
    begin: (index: number, content: JsonObject): void => void begin(index, content),
    whole: (index: number, content: JsonObject): void => endAt(index, begin(index, content)),
    delta(index: number, value: JsonObject): void {
      blocks.said = true
      const type = asText(value['type']) ?? 'delta'
      const known = blockFor(index, type)
      if (known?.search && type === 'input_json_delta') {
        const piece = asText(value['partial_json']) ?? ''
        known.search.json = (known.search.json === '{}' ? '' : known.search.json) + piece
      }
      if (known?.block === null) return
      if (!known) return value['signature'] === '' ? undefined : dropped(type)
      const members = deltaMembers[type]
      if (members) noteMembers(value, members, 'content_block_delta.delta.', dropped)
      switch (type) {
        case 'text_delta':
          return sayText(known, value['text'], emit)
        case 'thinking_delta':
          return say(known.block, value['thinking'])
        case 'input_json_delta':
          if (value['partial_json']) known.whole = null
          return say(known.block, value['partial_json'])
        case 'signature_delta':
          return sealBlock(known, value['signature'], emit)
        case 'citations_delta':
          return addCitation(known, value['citation'], dropped)
        default:
          dropped(type)
      }
    },
    end(index: number): void {
      const block = open.get(index)
      if (block) endAt(index, block)
    },
    endAll(): void {
      for (const [index, block] of open) endAt(index, block)
    },
    /** says what is left at the answer's end; returns the number of all blocks */
    sayLeft: (): number => (count += sayLeftSearches(searches, count, context)),
  }
  return blocks
}

export function readMessagesBody(body: JsonObject, context: ReadContext): void {
  const { emit, dropped } = context
  const error = errorIn(body)
  if (error) return emit({ type: 'error', ...error })
  if (!Array.isArray(body['content']))
    return emit({
      type: 'error',
      code: 'bad-answer',
      message: 'The answer of the provider is no message: it has no content.',
    })
  const usage = usageOfMessage(facts.usage(body) ?? {})
  emit({ type: 'start', model: asName(body['model']), usage })
  let blocks = 0
  let hasToolUse = false
  const searches: Searches = new Map()
  for (const content of facts.blocks(body)) {
    const block = beginBlock(content, blocks, searches, context)
    if (block.block !== null) blocks++
    hasToolUse ||= block.kind === 'tool-call'
    endBlock(block, context)
  }
  blocks += sayLeftSearches(searches, blocks, context)
  noteMembers(body, messageMembers, '', dropped)
  const reason = facts.finish(body)
  if (reason !== null && knownMeaning(reason) === null) dropped('stop_reason')
  const end = endOfMessage(reason, hasToolUse)
  if (end.kind === 'failed') return emit({ type: 'error', code: end.code, message: end.message })
  sayRefusal(asObject(body['stop_details']), blocks, context)
  emit({ type: 'finish', reason: end.reason, stopSequence: asText(body['stop_sequence']), usage })
}

/** Returns code and message of an error body or event. */
export function readMessagesError(body: JsonObject): { code: string | null; message: string | null } {
  return errorIn(body) ?? { code: null, message: null }
}

/** Members of a message that are read (Message of @anthropic-ai/sdk). */
const messageMembers: KnownMembers = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
])

/** The members of each event, its block and message aside. */
const eventMembers: Partial<Record<string, KnownMembers>> = {
  message_start: new Set(['type', 'message']),
  message_delta: new Set(['type', 'delta', 'usage']),
  message_stop: new Set(['type']),
  content_block_start: new Set(['type', 'index', 'content_block']),
  content_block_delta: new Set(['type', 'index', 'delta']),
  content_block_stop: new Set(['type', 'index']),
}

const deltaMembers: Partial<Record<string, KnownMembers>> = {
  text_delta: new Set(['type', 'text']),
  thinking_delta: new Set(['type', 'thinking']),
  input_json_delta: new Set(['type', 'partial_json']),
  signature_delta: new Set(['type', 'signature']),
  citations_delta: new Set(['type', 'citation']),
}

const endMembers: KnownMembers = new Set(['stop_reason', 'stop_sequence', 'stop_details'])
