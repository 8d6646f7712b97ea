import { at, countOf, each, eventsOf, named, noAnswer, words, type ClientAnswer } from './client-answer.ts'

export function readGeminiStream(stream: string): ClientAnswer {
  const answer = noAnswer()
  for (const chunk of eventsOf(stream)) add(chunk, answer)
  return answer
}

export function readGeminiBody(body: unknown): ClientAnswer {
  const answer = noAnswer()
  add(body, answer)
  return answer
}

function add(chunk: unknown, answer: ClientAnswer): void {
  if (at(chunk, 'error'))
    answer.error = words(at(chunk, 'error', 'code')) || words(at(chunk, 'error', 'status')) || 'error'
  for (const candidate of each(at(chunk, 'candidates'))) {
    for (const part of each(at(candidate, 'content', 'parts'))) addPart(part, answer)
    answer.finish = named(at(candidate, 'finishReason')) ?? answer.finish
    for (const query of each(at(candidate, 'groundingMetadata', 'webSearchQueries'))) answer.searches.push(words(query))
    for (const source of each(at(candidate, 'groundingMetadata', 'groundingChunks')))
      answer.citations.push(words(at(source, 'web', 'uri')))
  }
  const usage = at(chunk, 'usageMetadata')
  if (usage)
    answer.usage = {
      promptTokenCount: countOf(at(usage, 'promptTokenCount')),
      cachedContentTokenCount: countOf(at(usage, 'cachedContentTokenCount')),
      candidatesTokenCount: countOf(at(usage, 'candidatesTokenCount')),
      thoughtsTokenCount: countOf(at(usage, 'thoughtsTokenCount')),
      totalTokenCount: countOf(at(usage, 'totalTokenCount')),
    }
}

function addPart(part: unknown, answer: ClientAnswer): void {
  const call = at(part, 'functionCall')
  if (call)
    answer.calls.push({
      id: named(at(call, 'id')),
      name: words(at(call, 'name')),
      arguments: JSON.stringify(at(call, 'args')),
    })
  else if (at(part, 'thought') === true) answer.thinking += words(at(part, 'text'))
  else answer.text += words(at(part, 'text'))
}
