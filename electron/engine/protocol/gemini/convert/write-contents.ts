import type { Message, ToolResultPart } from '../../canonical/request.ts'
import { resultsAtCalls } from '../../canonical/tools/results-at-calls.ts'
import type { Draft } from './members.ts'
import { thinksInLevels, takesMediaInResults } from './models.ts'
import { stepWriter } from './write-model-parts.ts'
import { writeMedia } from './write-media.ts'

interface Content {
  role: 'user' | 'model'
  parts: Draft[]
}

/**
 * Merges neighbours of one role into one content: Google wants the results of all parallel calls in the content right
 * after the one with the calls.
 */
export function writeContents(said: readonly Message[], model: string, dropped: Set<string>): Content[] {
  const messages = resultsAtCalls(said, () => {
    dropped.add('functionResponse.id')
  })
  const contents: Content[] = []
  const names = new Map<string, string>()
  // Only demanded after the person's last words, but written everywhere: what was sent must read the same in later
  // requests.
  const signs = thinksInLevels(model)
  const step = stepWriter(names, dropped)
  for (const message of messages) {
    if (message.role === 'assistant') {
      const content = contentFor(contents, 'model', () => step.begin())
      step.write(message.parts, content.parts, signs)
    } else writeUser(message, contentFor(contents, 'user'), model, names, dropped)
  }
  return contents.filter(({ parts }) => parts.length > 0)
}

function contentFor(contents: Content[], role: Content['role'], onNew?: () => void): Content {
  const last = contents.at(-1)
  if (last?.role === role) return last
  // a message without any content leaves no border between its neighbours
  if (last?.parts.length === 0) contents.pop()
  const before = contents.at(-1)
  if (before?.role === role) return before
  onNew?.()
  const content: Content = { role, parts: [] }
  contents.push(content)
  return content
}

function writeUser(
  message: Exclude<Message, { role: 'assistant' }>,
  { parts }: Content,
  model: string,
  names: ReadonlyMap<string, string>,
  dropped: Set<string>,
): void {
  if (message.role === 'system') dropped.add('messages[].role')
  const behind: Draft[] = []
  for (const part of message.parts) {
    if (part.cache) dropped.add('cache_control')
    if (part.type === 'text') {
      if (part.text !== '') parts.push({ text: part.text })
    } else if (part.type === 'tool-result') {
      parts.push(
        writeResult(
          part,
          part.name ?? names.get(part.callId) ?? 'unknown',
          takesMediaInResults(model) ? null : behind,
          dropped,
        ),
      )
    } else {
      const media = writeMedia(part, dropped)
      if (media) parts.push(media)
    }
  }
  parts.push(...behind)
}

/**
 * `behind` takes the images if the model does not know images inside results: they follow the result in the same
 * content.
 */
function writeResult(part: ToolResultPart, name: string, behind: Draft[] | null, dropped: Set<string>): Draft {
  const texts: string[] = []
  const inside: Draft[] = []
  for (const piece of part.parts) {
    if (piece.cache) dropped.add('cache_control')
    if (piece.type === 'text') texts.push(piece.text)
    else {
      const media = writeMedia(piece, dropped)
      if (media) (behind ?? inside).push(media)
    }
  }
  const text = texts.length === 1 ? (texts[0] ?? '') : texts.join('\n')
  const response = { [part.isError ? 'error' : 'output']: text }
  return { functionResponse: { id: part.callId, name, response, ...(inside.length > 0 && { parts: inside }) } }
}
