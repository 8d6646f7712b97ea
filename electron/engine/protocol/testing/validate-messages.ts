import { asList, asObject, type JsonObject } from '../values.ts'
import { checkAnswerBlock, checkMessage, checkStop, checkUsage, type Report } from './validate-messages-shapes.ts'

export { validateMessagesRequest } from './validate-messages-request.ts'

/**
 * Returns the problems of a stream as Anthropic documents it (message_start … message_stop); empty if there are none.
 */
export function validateMessagesStream(text: string): string[] {
  const problems: string[] = []
  if (!text.endsWith('\n\n')) problems.push('the stream does not end with a whole event')
  const stream = streamState((problem) => problems.push(problem))
  for (const [i, raw] of text.split('\n\n').slice(0, -1).entries()) {
    const found = /^event: ([a-z_]+)\ndata: ([^\n]*)$/.exec(raw)
    const value = found ? parsed(found[2] ?? '') : null
    if (!found || !value) problems.push(`event ${i}: not one event line and one line of JSON: ${raw.slice(0, 60)}`)
    else if (value['type'] !== found[1])
      problems.push(`event ${i}: named ${String(found[1])}, but of type ${String(value['type'])}`)
    else stream.event(value, `event ${i} (${String(found[1])})`)
  }
  stream.end()
  return problems
}

function parsed(json: string): JsonObject | null {
  try {
    return asObject(JSON.parse(json))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const deltaOf: Partial<Record<string, { block: string; member: string }>> = {
  text_delta: { block: 'text', member: 'text' },
  thinking_delta: { block: 'thinking', member: 'thinking' },
  signature_delta: { block: 'thinking', member: 'signature' },
  input_json_delta: { block: 'tool_use', member: 'partial_json' },
}

interface Open {
  index: number
  type: unknown
  said: string
  signed: boolean
}

/** Checks the order of events. */
function streamState(report: Report) {
  let stage: 'before' | 'content' | 'delta' | 'over' = 'before'
  let open: Open | null = null
  let next = 0
  /** the call whose arguments are no JSON, which only a cut-off may leave at the end */
  let cutCall: number | null = null
  const ids = new Set<unknown>()

  function start(value: JsonObject, at: string): void {
    if (stage !== 'before') report(`${at}: a second beginning`)
    stage = 'content'
    const message = asObject(value['message']) ?? {}
    checkMessage(message, `${at}.message`, report)
    if (asList(message['content']).length > 0) report(`${at}.message.content: not empty`)
    for (const name of ['stop_reason', 'stop_sequence'])
      if (message[name] !== null) report(`${at}.message.${name}: not null`)
  }

  function blockStart(value: JsonObject, at: string): void {
    if (stage !== 'content') report(`${at}: a block out of place`)
    if (open) report(`${at}: block ${open.index} is still open`)
    if (value['index'] !== next) report(`${at}.index: ${String(value['index'])} instead of ${next}`)
    const block = asObject(value['content_block']) ?? {}
    checkAnswerBlock(block, 'start', `${at}.content_block`, report)
    if (block['type'] === 'tool_use') {
      if (ids.has(block['id'])) report(`${at}: id ${String(block['id'])} again`)
      ids.add(block['id'])
    }
    open = { index: next++, type: block['type'], said: '', signed: false }
  }

  function delta(value: JsonObject, at: string): void {
    const change = asObject(value['delta']) ?? {}
    const known = deltaOf[String(change['type'])]
    if (!open || value['index'] !== open.index) return report(`${at}: no block ${String(value['index'])} is open`)
    if (change['type'] === 'citations_delta') {
      if (open.type !== 'text') report(`${at}: citations_delta in a block of ${String(open.type)}`)
      return checkCitation(change['citation'], `${at}.delta.citation`, report)
    }
    if (!known) return report(`${at}.delta.type: ${String(change['type'])} is none`)
    const of = open.type === 'server_tool_use' ? 'tool_use' : open.type
    if (known.block !== of) return report(`${at}: ${String(change['type'])} in a block of ${String(open.type)}`)
    const text = change[known.member]
    if (typeof text !== 'string') return report(`${at}.delta.${known.member}: no text`)
    if (open.signed) report(`${at}: more behind the signature`)
    if (change['type'] === 'signature_delta') {
      open.signed = true
      if (text === '') report(`${at}: an empty signature`)
    } else open.said += text
  }

  function blockStop(value: JsonObject, at: string): void {
    if (!open || value['index'] !== open.index) return report(`${at}: no block ${String(value['index'])} is open`)
    if (cutCall !== null) report(`${at}: the arguments of block ${cutCall} are no JSON object`)
    if (open.type === 'text' && open.said === '') report(`${at}: an empty text`)
    if (open.type === 'thinking' && !open.signed) report(`${at}: thinking without a signature`)
    cutCall = open.type === 'tool_use' && open.said !== '' && !parsed(open.said) ? open.index : null
    open = null
  }

  function messageDelta(value: JsonObject, at: string): void {
    if (stage !== 'content') report(`${at}: out of place`)
    if (open) report(`${at}: block ${open.index} is still open`)
    stage = 'delta'
    const ending = asObject(value['delta']) ?? {}
    if (cutCall !== null && ending['stop_reason'] !== 'max_tokens')
      report(`${at}: the arguments of block ${cutCall} are no JSON object`)
    checkStop(ending, ids.size > 0, `${at}.delta`, report)
    checkUsage(value['usage'], `${at}.usage`, report)
  }

  return {
    event(value: JsonObject, at: string): void {
      if (stage === 'over') return report(`${at}: behind the end`)
      switch (value['type']) {
        case 'message_start':
          return start(value, at)
        case 'content_block_start':
          return blockStart(value, at)
        case 'content_block_delta':
          return delta(value, at)
        case 'content_block_stop':
          return blockStop(value, at)
        case 'message_delta':
          return messageDelta(value, at)
        case 'message_stop':
          if (stage !== 'delta') report(`${at}: without message_delta`)
          stage = 'over'
          return
        case 'ping': {
          if (stage === 'before') report(`${at}: before the beginning`)
          return
        }
        case 'error': {
          const error = asObject(value['error'])
          if (typeof error?.['type'] !== 'string' || typeof error['message'] !== 'string')
            report(`${at}.error: no type and message`)
          stage = 'over'
          return
        }
        default:
          report(`${at}: no event of this name`)
      }
    },
    end(): void {
      if (stage !== 'over') report('the stream has no end')
    },
  }
}

/** Returns the problems of a whole answer. */
export function validateMessagesBody(body: JsonObject): string[] {
  const problems: string[] = []
  const report: Report = (problem) => problems.push(problem)
  checkMessage(body, 'body', report)
  const blocks = asList(body['content']).map((block) => asObject(block) ?? {})
  for (const [i, block] of blocks.entries()) checkAnswerBlock(block, 'whole', `content[${i}]`, report)
  const ids = blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id'])
  if (new Set(ids).size < ids.length) report('content: two calls of one id')
  checkStop(body, ids.length > 0, 'body', report)
  return problems
}

/** The members that CitationsWebSearchResultLocation of @anthropic-ai/sdk has. */
function checkCitation(value: unknown, at: string, report: (problem: string) => void): void {
  const citation = asObject(value) ?? {}
  if (citation['type'] !== 'web_search_result_location') return report(`${at}.type: ${String(citation['type'])}`)
  for (const name of ['cited_text', 'encrypted_index', 'url'])
    if (typeof citation[name] !== 'string') report(`${at}.${name}: no text`)
  if (citation['title'] !== null && typeof citation['title'] !== 'string') report(`${at}.title: no text`)
}
