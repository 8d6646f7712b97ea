import { answerEvents, type WholeAnswer, type AnswerEvent } from '../../answer/whole-answer.ts'
import { member } from '../../json-bytes/index.ts'
import { elementsOf, rootOf, listOf } from '../../json-bytes/walk.ts'
import type { HiddenNames, PlacedCall, RoundSaid } from '../../server-tools/types.ts'
import { asObject, asText, parseObject, asList, asNumber, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'
import { block, isThinking } from '../facts.ts'
import { isHidden } from './filter.ts'

/** Reads one round's answer; of a malformed one, what can be read. */
export function readAnswer(answer: WholeAnswer, names: HiddenNames): RoundSaid {
  const events = answerEvents(answer)
  if (!events && !parseObject(answer.body)) return { items: [], text: '', hidden: [], calls: [] }
  const items = messagesAnswerItems(answer)
  const written = events ? writtenArguments(events) : null
  let text = ''
  const hidden: PlacedCall[] = []
  const calls: string[] = []
  for (const json of items.flatMap((item) => elementsOf(item, 'content'))) {
    const block = parseObject(json)
    text += facts.text(block)
    if (!facts.isCall(block)) continue
    const id = asText(block?.['id']) ?? ''
    if (!isHidden(block, names)) {
      calls.push(id)
      continue
    }
    const call = { id, name: asText(block?.['name']) ?? '', arguments: written?.get(id) || inputOf(json) }
    hidden.push({ call, json: json.toString(), callsBefore: calls.length })
  }
  return { items, text, hidden, calls }
}

function inputOf(block: Buffer): string {
  const at = member(block, rootOf(block), 'input')
  return at ? block.toString('utf8', at.start, at.end) : '{}'
}

/** Arguments as the model wrote them, by the call's id: what is no JSON is not in the block that goes back. */
function writtenArguments(events: NonNullable<ReturnType<typeof answerEvents>>): Map<string, string> {
  const written = new Map<string, string>()
  const open = new Map<unknown, string>()
  for (const { type, value } of events) {
    const block = facts.block(value)
    if (type === 'content_block_start') open.set(value['index'], facts.isCall(block) ? (asText(block['id']) ?? '') : '')
    const id = open.get(value['index'])
    if (type === 'content_block_delta' && id)
      written.set(id, (written.get(id) ?? '') + (asText(asObject(value['delta'])?.['partial_json']) ?? ''))
  }
  return written
}

/** The answer as an assistant message, its blocks as they came; nothing when none of them may be sent back. */
function messagesAnswerItems(answer: WholeAnswer): Buffer[] {
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
