import type { ReadContext, StreamReader } from '../../canonical/codec.ts'
import { errorIn } from '../../observe/errors.ts'
import type { SseEvent } from '../../sse/split.ts'
import { asName, asNumber, asObject, asText, parseObject, type JsonObject } from '../../values.ts'
import { mergeCounts } from '../finish.ts'
import { isKnownReason, readFinish } from './finish.ts'
import { beginBlock, endBlock, sealBlock, type OpenBlock } from './read-block.ts'
import { readUsage } from './usage.ts'

/** Reads `message_start` to `message_stop`, whatever a vendor leaves out between them. */
export function readMessagesStream(context: ReadContext): StreamReader {
  const { emit, dropped } = context
  /** by the provider's index */
  const open = new Map<number, OpenBlock>()
  let counts: JsonObject = {}
  let blocks = 0
  let started = false
  let ended = false
  let hasToolUse = false
  let reason: string | null = null
  let stopSequence: string | null = null

  function start(message: JsonObject): void {
    if (started) return
    started = true
    emit({ type: 'start', id: asName(message['id']), model: asName(message['model']), usage: readUsage(counts) })
  }

  function begin(index: number, content: JsonObject): OpenBlock {
    start({})
    // One after the other; a vendor that forgets to stop a block has begun the next.
    for (const [at, block] of open) if (at === index || block.kind !== 'tool-call') end(at, block)
    const block = beginBlock(content, blocks, context)
    if (block.block !== null) blocks++
    hasToolUse ||= block.kind === 'tool-call'
    open.set(index, block)
    return block
  }

  function end(index: number, block: OpenBlock): void {
    endBlock(block, emit)
    open.delete(index)
  }

  function delta(index: number, value: JsonObject): void {
    const type = value['type']
    const known =
      open.get(index) ??
      (type === 'text_delta'
        ? begin(index, { type: 'text' })
        : type === 'thinking_delta'
          ? begin(index, { type: 'thinking' })
          : null)
    if (!known || known.block === null) return
    switch (type) {
      case 'text_delta':
        return say(known.block, value['text'])
      case 'thinking_delta':
        return say(known.block, value['thinking'])
      case 'input_json_delta':
        if (value['partial_json']) known.whole = null
        return say(known.block, value['partial_json'])
      case 'signature_delta':
        return sealBlock(known.block, value['signature'], emit)
      default:
        dropped(type === 'citations_delta' ? 'citations' : (asText(type) ?? 'delta'))
    }
  }

  function say(block: number, text: unknown): void {
    if (typeof text === 'string' && text !== '') emit({ type: 'delta', block, text })
  }

  function finish(): void {
    start({})
    for (const [index, block] of open) end(index, block)
    ended = true
    if (reason !== null && !isKnownReason(reason)) dropped('stop_reason')
    emit({ type: 'finish', reason: readFinish(reason, hasToolUse), stopSequence, usage: readUsage(counts) })
  }

  function fail(code: string, message: string): void {
    ended = true
    emit({ type: 'error', code, message })
  }

  function read(type: string, value: JsonObject): void {
    switch (type) {
      case 'content_block_delta':
        return delta(asNumber(value['index']) ?? 0, asObject(value['delta']) ?? {})
      case 'content_block_start':
        return void begin(asNumber(value['index']) ?? 0, asObject(value['content_block']) ?? {})
      case 'content_block_stop': {
        const index = asNumber(value['index']) ?? 0
        const block = open.get(index)
        if (block) end(index, block)
        return
      }
      case 'message_start': {
        const message = asObject(value['message']) ?? {}
        counts = mergeCounts(counts, asObject(message['usage']))
        return start(message)
      }
      case 'message_delta': {
        const changed = asObject(value['delta']) ?? {}
        reason = asText(changed['stop_reason']) ?? reason
        stopSequence = asText(changed['stop_sequence']) ?? stopSequence
        if (asObject(changed['stop_details'])) dropped('stop_details')
        counts = mergeCounts(counts, asObject(value['usage']))
        return
      }
      case 'message_stop':
        return finish()
      case 'error': {
        const { code, message } = errorIn(value) ?? {
          code: 'provider-error',
          message: 'The provider reported an error without saying which.',
        }
        return fail(code, message)
      }
    }
  }

  return {
    event(event: SseEvent) {
      if (ended) return
      if (event.truncated)
        return fail('upstream-bad-event', 'An event of the provider is larger than what can be read.')
      const value = parseObject(event.data)
      if (value) return read(asText(value['type']) ?? event.name(), value)
      // Some gateways end every stream with what Chat ends with.
      const data = event.data.toString('utf8', 0, 16).trim()
      if (data !== '' && data !== '[DONE]' && event.name() !== 'ping')
        fail('upstream-bad-event', 'The provider sent an event that is no JSON.')
    },
    end() {
      if (!ended) fail('upstream-broke-off', 'The provider ended its answer in the middle.')
    },
  }
}
