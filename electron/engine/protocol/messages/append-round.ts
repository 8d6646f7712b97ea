import { answerEvents, type AnswerEvent, type WholeAnswer } from '../answer/whole-answer.ts'
import { elementsOf, listOf } from '../json-bytes/walk.ts'
import { asList, asNumber, asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { block, isThinking } from './facts.ts'

/** The answer as an assistant message, its blocks as they came; nothing when none of them may be sent back. */
export function messagesAnswerItems(answer: WholeAnswer): Buffer[] {
  const events = answerEvents(answer)
  const blocks = sendable(events ? blocksOf(events) : elementsOf(answer.body, 'content'))
  if (blocks.length === 0) return []
  return [Buffer.concat([Buffer.from('{"role":"assistant","content":'), listOf(blocks), Buffer.from('}')])]
}

/** Anthropic refuses text blocks without visible text, and thinking as the last block of a message. */
function sendable(blocks: readonly Buffer[]): Buffer[] {
  const kept = blocks.filter((block) => {
    const value = parseObject(block)
    return value?.['type'] !== 'text' || /\S/.test(asText(value['text']) ?? '')
  })
  while (isThinking(parseObject(kept.at(-1) ?? nothing))) kept.pop()
  return kept
}
const nothing = Buffer.alloc(0)

interface Block {
  value: Record<string, unknown>
  json: string
  citations: unknown[]
}

function blocksOf(events: readonly AnswerEvent[]): Buffer[] {
  const blocks = new Map<number, Block>()
  for (const { type, value } of events) {
    const index = asNumber(value['index']) ?? -1
    if (type === 'content_block_start') {
      const begun = { ...block(value) }
      blocks.set(index, { value: begun, json: '', citations: [...asList(begun['citations'])] })
    }
    const open = blocks.get(index)
    if (type === 'content_block_delta' && open) addDelta(open, asObject(value['delta']) ?? {})
  }
  return [...blocks]
    .sort(([a], [b]) => a - b)
    .map(([, { value, json }]) => {
      const input = json === '' ? null : parseObject(Buffer.from(json))
      return Buffer.from(JSON.stringify(input ? { ...value, input } : value))
    })
}

function addDelta(block: Block, delta: JsonObject): void {
  const { value } = block
  const append = (name: string): void => {
    value[name] = (asText(value[name]) ?? '') + (asText(delta[name]) ?? '')
  }
  switch (delta['type']) {
    case 'text_delta':
      return append('text')
    case 'thinking_delta':
      return append('thinking')
    case 'signature_delta':
      return append('signature')
    case 'input_json_delta': {
      block.json += asText(delta['partial_json']) ?? ''
      return
    }
    case 'citations_delta': {
      block.citations.push(delta['citation'])
      value['citations'] = block.citations
      return
    }
  }
}
