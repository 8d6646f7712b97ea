import { at, countOf, each, eventsOf, members, named, noAnswer, words, type ClientAnswer } from './client-answer.ts'

interface Block {
  kind: string
  said: string
  id: string
  name: string
}

export function readMessagesStream(stream: string): ClientAnswer {
  const answer = noAnswer()
  const blocks: Block[] = []
  let usage: Record<string, unknown> = {}
  let stopped = false
  for (const event of eventsOf(stream)) {
    const index = countOf(at(event, 'index'))
    switch (at(event, 'type')) {
      case 'message_start':
        usage = members(at(event, 'message', 'usage'))
        break
      case 'content_block_start':
        blocks[index] = begun(at(event, 'content_block'))
        break
      case 'content_block_delta':
        add(at(event, 'delta'), blocks[index], answer)
        break
      case 'message_delta':
        answer.finish = named(at(event, 'delta', 'stop_reason'))
        usage = { ...usage, ...members(at(event, 'usage')) }
        break
      case 'message_stop':
        stopped = true
        break
      case 'error':
        answer.error = words(at(event, 'error', 'code') ?? at(event, 'error', 'type'))
    }
  }
  for (const { kind, said, id, name } of blocks) {
    if (kind === 'text') answer.text += said
    else if (kind === 'thinking') answer.thinking += said
    else if (kind === 'server_tool_use') answer.searches.push(...words(at(JSON.parse(said), 'query')).split('; '))
    else if (kind === 'tool_use') answer.calls.push({ id, name, arguments: said })
  }
  if (!stopped) answer.finish = null
  answer.usage = counts(usage)
  return answer
}

const begun = (block: unknown): Block => ({
  kind: words(at(block, 'type')),
  said: words(at(block, 'text')) + words(at(block, 'thinking')),
  id: words(at(block, 'id')),
  name: words(at(block, 'name')),
})

function add(delta: unknown, block: Block | undefined, answer: ClientAnswer): void {
  if (!block) throw new Error('A delta stands outside of every block.')
  block.said += words(at(delta, 'text')) + words(at(delta, 'thinking')) + words(at(delta, 'partial_json'))
  if (at(delta, 'citation')) answer.citations.push(words(at(delta, 'citation', 'url')))
}

export function readMessagesBody(body: unknown): ClientAnswer {
  const answer = noAnswer()
  for (const block of each(at(body, 'content'))) {
    answer.text += words(at(block, 'text'))
    answer.thinking += words(at(block, 'thinking'))
    for (const note of each(at(block, 'citations'))) answer.citations.push(words(at(note, 'url')))
    if (at(block, 'type') === 'server_tool_use') answer.searches.push(...words(at(block, 'input', 'query')).split('; '))
    if (at(block, 'type') === 'tool_use')
      answer.calls.push({
        id: words(at(block, 'id')),
        name: words(at(block, 'name')),
        arguments: JSON.stringify(at(block, 'input')),
      })
  }
  answer.finish = named(at(body, 'stop_reason'))
  if (at(body, 'error')) answer.error = words(at(body, 'error', 'code'))
  answer.usage = counts(members(at(body, 'usage')))
  return answer
}

const counts = (usage: Record<string, unknown>): Record<string, number> => ({
  input_tokens: countOf(usage['input_tokens']),
  cache_read_input_tokens: countOf(usage['cache_read_input_tokens']),
  cache_creation_input_tokens: countOf(usage['cache_creation_input_tokens']),
  output_tokens: countOf(usage['output_tokens']),
})
