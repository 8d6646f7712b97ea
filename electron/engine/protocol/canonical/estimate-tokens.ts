import type { CanonicalRequest, ContentPart, Message } from './request.ts'

/** The cost of an image at most vendors when nothing is known of its size (about 1 100 x 1 100 pixels). */
export const imageTokens = 1_600
/** Tokens around a message and around a tool on the way into a model. */
const perMessage = 4
const perTool = 12

/** Input tokens of a request for a model whose own count can't be asked for: texts, tools, results and thinking. */
export function estimateTokens(request: CanonicalRequest, count: (text: string) => number): number {
  const content = (part: ContentPart): number => {
    switch (part.type) {
      case 'text':
        return count(part.text)
      case 'image':
        return imageTokens
      case 'file':
        return part.source.kind === 'text'
          ? count(part.source.text)
          : part.source.kind === 'data'
            ? Math.ceil(part.source.base64.length / 12)
            : imageTokens
      case 'audio':
        return Math.ceil(part.base64.length / 200)
    }
  }
  const message = (one: Message): number => {
    let sum = perMessage
    for (const part of one.parts) {
      switch (part.type) {
        case 'thinking':
        case 'refusal':
          sum += count(part.text)
          break
        case 'tool-call':
          sum += perMessage + count(part.name) + count(part.arguments)
          break
        case 'tool-result':
          sum += perMessage + part.parts.reduce((all, p) => all + content(p), 0)
          break
        default:
          sum += content(part)
      }
    }
    return sum
  }
  const system = request.system.reduce(
    (sum, part) => sum + count(part.text),
    request.system.length > 0 ? perMessage : 0,
  )
  const tools = request.tools.reduce(
    (sum, tool) =>
      sum +
      perTool +
      (tool.type === 'native'
        ? 0
        : count(tool.name) +
          count(tool.description ?? '') +
          (tool.type === 'function' && tool.parameters ? count(JSON.stringify(tool.parameters)) : 0)),
    0,
  )
  return system + tools + request.messages.reduce((sum, one) => sum + message(one), 0)
}
