import { at, countOf, each, eventsOf, named, noAnswer, words, type ClientAnswer } from './client-answer.ts'

export function readChatStream(stream: string): ClientAnswer {
  const answer = noAnswer()
  for (const chunk of eventsOf(stream)) {
    if (at(chunk, 'error')) answer.error = words(at(chunk, 'error', 'code'))
    count(at(chunk, 'usage'), answer)
    for (const choice of each(at(chunk, 'choices'))) {
      add(at(choice, 'delta'), answer)
      answer.finish = named(at(choice, 'finish_reason')) ?? answer.finish
    }
  }
  return answer
}

export function readChatBody(body: unknown): ClientAnswer {
  const answer = noAnswer()
  count(at(body, 'usage'), answer)
  add(at(body, 'choices', 0, 'message'), answer)
  answer.finish = named(at(body, 'choices', 0, 'finish_reason'))
  return answer
}

function add(message: unknown, answer: ClientAnswer): void {
  answer.text += words(at(message, 'content'))
  answer.thinking += words(at(message, 'reasoning_content'))
  answer.refusal += words(at(message, 'refusal'))
  for (const note of each(at(message, 'annotations'))) answer.citations.push(words(at(note, 'url_citation', 'url')))
  for (const [i, entry] of each(at(message, 'tool_calls')).entries()) {
    const index = typeof at(entry, 'index') === 'number' ? countOf(at(entry, 'index')) : i
    const call = (answer.calls[index] ??= { id: named(at(entry, 'id')), name: '', arguments: '' })
    call.name += words(at(entry, 'function', 'name') ?? at(entry, 'custom', 'name'))
    call.arguments += words(at(entry, 'function', 'arguments') ?? at(entry, 'custom', 'input'))
  }
}

function count(usage: unknown, answer: ClientAnswer): void {
  if (!usage) return
  answer.usage = {
    prompt_tokens: countOf(at(usage, 'prompt_tokens')),
    cached_tokens: countOf(at(usage, 'prompt_tokens_details', 'cached_tokens')),
    completion_tokens: countOf(at(usage, 'completion_tokens')),
    reasoning_tokens: countOf(at(usage, 'completion_tokens_details', 'reasoning_tokens')),
    total_tokens: countOf(at(usage, 'total_tokens')),
  }
}
