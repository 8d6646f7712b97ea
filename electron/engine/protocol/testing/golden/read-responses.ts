import { at, countOf, each, eventsOf, named, noAnswer, words, type ClientAnswer } from './client-answer.ts'

/** By its deltas; items and the final object must say the same again. @throws Error where they do not */
export function readResponsesStream(stream: string): ClientAnswer {
  const answer = noAnswer()
  let said = ''
  let failed: string | null = null
  for (const event of eventsOf(stream)) {
    const type = words(at(event, 'type'))
    if (type.endsWith('.delta')) said += words(at(event, 'delta'))
    else if (type === 'response.failed') failed = named(at(event, 'response', 'error', 'code'))
    else if (/^response\.(?:completed|incomplete)$/.test(type)) {
      const whole = readResponsesBody(at(event, 'response'))
      const again = whole.thinking + whole.text + whole.refusal + whole.calls.map((call) => call.arguments).join('')
      if (sorted(said) !== sorted(again)) throw new Error(`The final object says “${again}”, its deltas “${said}”.`)
      Object.assign(answer, whole)
    } else if (type === 'error') answer.error = words(at(event, 'code'))
  }
  if (answer.error !== null && failed === null) throw new Error('An error alone: Codex takes it for a break-off.')
  return answer
}

/** Items may come interleaved: the same signs, in whatever order. */
const sorted = (text: string): string => [...text].sort().join('')

export function readResponsesBody(body: unknown): ClientAnswer {
  const answer = noAnswer()
  for (const item of each(at(body, 'output'))) {
    for (const part of each(at(item, 'summary'))) answer.thinking += words(at(part, 'text'))
    for (const part of each(at(item, 'content'))) {
      answer.text += words(at(part, 'text'))
      answer.refusal += words(at(part, 'refusal'))
      for (const note of each(at(part, 'annotations'))) answer.citations.push(words(at(note, 'url')))
    }
    if (at(item, 'type') === 'web_search_call') answer.searches.push(...each(at(item, 'action', 'queries')).map(words))
    else if (words(at(item, 'type')).endsWith('_call'))
      answer.calls.push({
        id: named(at(item, 'call_id')),
        name: words(at(item, 'name')),
        arguments: words(at(item, 'arguments') ?? at(item, 'input')),
      })
  }
  const why = named(at(body, 'incomplete_details', 'reason'))
  answer.finish = why === null ? named(at(body, 'status')) : `${words(at(body, 'status'))}: ${why}`
  if (at(body, 'error')) answer.error = words(at(body, 'error', 'code'))
  const usage = at(body, 'usage')
  if (usage)
    answer.usage = {
      input_tokens: countOf(at(usage, 'input_tokens')),
      cached_tokens: countOf(at(usage, 'input_tokens_details', 'cached_tokens')),
      output_tokens: countOf(at(usage, 'output_tokens')),
      reasoning_tokens: countOf(at(usage, 'output_tokens_details', 'reasoning_tokens')),
      total_tokens: countOf(at(usage, 'total_tokens')),
    }
  return answer
}
