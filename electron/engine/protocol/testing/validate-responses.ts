/**
 * Streams and bodies of OpenAI's Responses: a strict machine over every event, by the API reference and the official
 * SDK's accumulator.
 */
import { isDeepStrictEqual } from 'node:util'
import { asList, asObject, parseObject, type JsonObject } from '../values.ts'
import {
  count,
  listOf,
  anyObject,
  name,
  object,
  orNull,
  problemsOf,
  text,
  words,
  type Shape,
} from './validate-chat-shapes.ts'
import { annotation, outputItem, outputPart, response, summaryPart } from './validate-responses-items.ts'

export { validateResponsesRequest } from './validate-responses-request.ts'

const at = { sequence_number: count, type: name }
const place = { ...at, item_id: name, output_index: count }
const content = { ...place, content_index: count }
const summary = { ...place, summary_index: count }
const begun = outputItem(words('in_progress'))
const done = outputItem(words('completed', 'incomplete'))
const answer = object({ ...at, response })

/** Every event that may be in a stream, with exactly its members. */
const events: Readonly<Record<string, Shape>> = {
  'response.created': answer,
  'response.in_progress': answer,
  'response.completed': answer,
  'response.incomplete': answer,
  'response.failed': answer,
  'response.output_item.added': object({ ...at, output_index: count, item: begun }),
  'response.output_item.done': object({ ...at, output_index: count, item: done }),
  'response.content_part.added': object({ ...content, part: outputPart }),
  'response.content_part.done': object({ ...content, part: outputPart }),
  'response.output_text.delta': object({ ...content, delta: text, logprobs: listOf(anyObject) }),
  'response.output_text.done': object({ ...content, text, logprobs: listOf(anyObject) }),
  'response.output_text.annotation.added': object({ ...content, annotation_index: count, annotation }),
  'response.refusal.delta': object({ ...content, delta: text }),
  'response.refusal.done': object({ ...content, refusal: text }),
  'response.reasoning_summary_part.added': object({ ...summary, part: summaryPart }),
  'response.reasoning_summary_part.done': object({ ...summary, part: summaryPart }),
  'response.reasoning_summary_text.delta': object({ ...summary, delta: text }),
  'response.reasoning_summary_text.done': object({ ...summary, text }),
  'response.function_call_arguments.delta': object({ ...place, delta: text }),
  'response.function_call_arguments.done': object({ ...place, name, arguments: text }),
  'response.custom_tool_call_input.delta': object({ ...place, delta: text }),
  'response.custom_tool_call_input.done': object({ ...place, input: text }),
  'response.web_search_call.in_progress': object(place),
  'response.web_search_call.searching': object(place),
  'response.web_search_call.completed': object(place),
  error: object({ ...at, code: orNull(name), message: text, param: orNull(text) }, { error: anyObject }),
}

/** A part of an item: content of a message, a summary, or the one text of a call. */
interface Part {
  type: string
  text: string
  said: boolean
  closed: boolean
}
interface Item {
  id: unknown
  type: string
  name: unknown
  parts: Part[]
  item: unknown
}

/** The item an event belongs to, and the kind of part. */
const partOf: Readonly<Record<string, { item: string; part: string; index: string | null; whole: string }>> = {
  'response.content_part': { item: 'message', part: '', index: 'content_index', whole: '' },
  'response.output_text': { item: 'message', part: 'output_text', index: 'content_index', whole: 'text' },
  'response.refusal': { item: 'message', part: 'refusal', index: 'content_index', whole: 'refusal' },
  'response.reasoning_summary_part': { item: 'reasoning', part: '', index: 'summary_index', whole: '' },
  'response.reasoning_summary_text': { item: 'reasoning', part: 'summary_text', index: 'summary_index', whole: 'text' },
  'response.function_call_arguments': { item: 'function_call', part: 'call', index: null, whole: 'arguments' },
  'response.custom_tool_call_input': { item: 'custom_tool_call', part: 'call', index: null, whole: 'input' },
}

/** Returns the problems of a stream as sent; empty if there are none. */
export function validateResponsesStream(wire: string): string[] {
  const problems: string[] = []
  const items: Item[] = []
  let last = -1
  let created: JsonObject | null = null
  let terminal: string | null = null
  /** an error event came: the response has to fail */
  let failing = false

  const blocks = wire.split('\n\n')
  if (blocks.pop() !== '') problems.push('the stream does not end behind an event')
  for (const [i, block] of blocks.entries()) {
    const report = (problem: string): void => {
      problems.push(`event ${i}: ${problem}`)
    }
    const found = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block)
    const value = found?.[2] === undefined ? null : parseObject(Buffer.from(found[2]))
    if (!found || !value) {
      report(`no named event with JSON: ${block.slice(0, 60)}`)
      continue
    }
    const type = String(value['type'])
    if (found[1] !== type) report(`is named ${found[1]} and says ${type}`)
    if (terminal) report(`${type} comes behind ${terminal}`)
    if (failing && type !== 'response.failed') report(`${type} comes behind an error`)
    const shape = events[type]
    if (!shape) {
      report(`${type} is unknown`)
      continue
    }
    for (const problem of problemsOf(shape, value, type)) report(problem)
    if (Number(value['sequence_number']) <= last)
      report(`sequence number ${String(value['sequence_number'])} does not rise`)
    last = Number(value['sequence_number'])
    if ((i === 0) !== (type === 'response.created'))
      report(i === 0 ? `${type} comes first` : 'response.created comes again')
    step(type, value, report)
  }
  if (!terminal) problems.push('no terminal event')
  return problems

  function step(type: string, value: JsonObject, report: (problem: string) => void): void {
    if (type === 'error') failing = true
    else if ('response' in value) answerStep(type, asObject(value['response']) ?? {}, report)
    else if (type.startsWith('response.output_item.')) itemStep(type, value, asObject(value['item']) ?? {}, report)
    else partStep(type, value, report)
  }

  function answerStep(type: string, said: JsonObject, report: (problem: string) => void): void {
    const status = type.slice('response.'.length)
    created ??= said
    if (said['id'] !== created['id']) report('the response changes its id')
    if (said['status'] !== (status === 'created' ? 'in_progress' : status))
      report(`${type} has status ${String(said['status'])}`)
    if (status === 'created' || status === 'in_progress') {
      // Codex and the SDK take this snapshot for the whole answer so far.
      if (asList(said['output']).length !== items.length)
        report(`${type} has an output of ${asList(said['output']).length} items`)
      return
    }
    terminal = type
    for (const problem of whole(said)) report(problem)
    if (status === 'failed') {
      const streamed = items.map(({ item }) => item)
      if (!asList(said['output']).every((item) => streamed.some((one) => isDeepStrictEqual(one, item))))
        report('the failed response has an item that was not streamed')
      return
    }
    for (const [n, item] of items.entries()) if (item.item === null) report(`output item ${n} is not done`)
    if (
      !isDeepStrictEqual(
        said['output'],
        items.map(({ item }) => item),
      )
    )
      report('the final output is not what was streamed')
  }

  function itemStep(type: string, value: JsonObject, item: JsonObject, report: (problem: string) => void): void {
    const index = Number(value['output_index'])
    if (type === 'response.output_item.added') {
      if (index !== items.length) report(`output_index ${index}, expected ${items.length}`)
      if (items.some(({ id }) => id === item['id'])) report(`item id ${String(item['id'])} comes again`)
      const isCall = 'arguments' in item || 'input' in item
      if (
        asList(item['content']).length + asList(item['summary']).length > 0 ||
        String(item['arguments'] ?? item['input'] ?? '') !== ''
      )
        report('an item begins with its content')
      items.push({
        id: item['id'],
        type: String(item['type']),
        name: item['name'],
        parts: isCall ? [{ type: 'call', text: '', said: false, closed: false }] : [],
        item: null,
      })
      return
    }
    const known = items[index]
    if (!known) return report(`output_item.done of unknown index ${index}`)
    if (known.item !== null) report(`item ${index} is done twice`)
    if (known.id !== item['id'] || known.type !== item['type']) report(`item ${index} changes its id or type`)
    if (known.name !== item['name']) report(`item ${index} changes its name`)
    if (known.parts.some(({ closed }) => !closed)) report(`item ${index} is done before its parts`)
    const said =
      item['type'] === 'message'
        ? asList(item['content'])
        : item['type'] === 'reasoning'
          ? asList(item['summary'])
          : item['type'] === 'web_search_call'
            ? []
            : [{ type: 'call', text: item['arguments'] ?? item['input'] }]
    const streamed = known.parts.map((part) => ({ type: part.type, text: part.text }))
    if (!isDeepStrictEqual(said.map(plain), streamed))
      report(`item ${index} is done with other content than was streamed`)
    known.item = item
  }

  function annotated(type: string, value: JsonObject, report: (problem: string) => void): void {
    const item = items[Number(value['output_index'])]
    const part = item?.parts[Number(value['content_index'])]
    if (!part || item?.id !== value['item_id'] || part.type !== 'output_text' || part.closed || part.said)
      report(`${type} of no open text`)
  }

  function partStep(type: string, value: JsonObject, report: (problem: string) => void): void {
    if (type === 'response.output_text.annotation.added') return annotated(type, value, report)
    const cut = type.lastIndexOf('.')
    if (type.startsWith('response.web_search_call.')) {
      const search = items[Number(value['output_index'])]
      if (search?.type !== 'web_search_call' || search.item !== null) report(`${type} of no open search`)
      return
    }
    const [kind, action] = [partOf[type.slice(0, cut)], type.slice(cut + 1)]
    const item = items[Number(value['output_index'])]
    if (!kind || !item || item.id !== value['item_id']) return report(`${type} names no item`)
    if (item.item !== null) return report(`${type} comes behind the item's end`)
    if (item.type !== kind.item) return report(`${type} belongs to no ${item.type}`)
    const index = kind.index === null ? 0 : Number(value[kind.index])
    if (action === 'added') {
      if (index !== item.parts.length) report(`${type} at ${index}, expected ${item.parts.length}`)
      if (item.parts.some(({ closed }) => !closed)) report('a part begins before the one before it is done')
      const begins = plain(value['part'])
      if (begins.text !== '') report('a part begins with its text')
      item.parts.push({ type: String(begins.type), text: '', said: false, closed: false })
      return
    }
    const part = item.parts[index]
    if (!part) return report(`${type} of a part that has not begun`)
    if (part.closed) return report(`${type} of a part that is done`)
    if (kind.part === '') {
      if (!part.said) report(`${type} before its text is done`)
      if (!isDeepStrictEqual(plain(value['part']), { type: part.type, text: part.text }))
        report(`${type} with another text than was streamed`)
      part.closed = true
      return
    }
    if (kind.part !== part.type) return report(`${type} in a part of type ${part.type}`)
    if (part.said) return report(`${type} behind the text's end`)
    if (action === 'delta') {
      part.text += String(value['delta'])
      return
    }
    if (value[kind.whole] !== part.text) report(`${type} with another text than was streamed`)
    if (kind.item === 'function_call' && value['name'] !== item.name) report(`${type} with another name`)
    part.said = true
    if (kind.index === null) part.closed = true
  }
}

const plain = (part: unknown): { type: unknown; text: unknown } => {
  const value = asObject(part)
  return { type: value?.['type'], text: value?.['text'] ?? value?.['refusal'] }
}

/** Checks that the parts of a finished response fit together. */
function whole(said: JsonObject): string[] {
  const problems: string[] = []
  const usage = asObject(said['usage'])
  if (usage && Number(usage['input_tokens']) + Number(usage['output_tokens']) !== usage['total_tokens'])
    problems.push('total_tokens is not the sum')
  if ((said['status'] === 'incomplete') !== (asObject(said['incomplete_details']) !== null))
    problems.push('incomplete_details do not fit the status')
  if ((said['status'] === 'failed') !== (asObject(said['error']) !== null))
    problems.push('error does not fit the status')
  for (const problem of problemsOf(listOf(done), said['output'], 'output')) problems.push(problem)
  const ids = asList(said['output']).map((item) => asObject(item)?.['id'])
  if (new Set(ids).size < ids.length) problems.push('two items have one id')
  return problems
}

/** Returns the problems of a whole JSON response. */
export function validateResponsesBody(body: JsonObject): string[] {
  const problems = [...problemsOf(response, body, 'response'), ...whole(body)]
  return ['completed', 'incomplete', 'failed'].includes(String(body['status']))
    ? problems
    : [...problems, `status ${String(body['status'])} is no end`]
}
