import { createHash } from 'node:crypto'
import { recogniseClient } from '../clients/index.ts'
import type { RequestFacts } from '../types.ts'

type Json = Readonly<Record<string, unknown>>
export interface Message {
  role: string
  content: string | readonly Json[]
}

export interface AskInput {
  entry?: RequestFacts['entry']
  endpoint?: RequestFacts['endpoint']
  headers?: Readonly<Record<string, string>>
  caller?: RequestFacts['caller']
  callingProcess?: RequestFacts['callingProcess']
  /** system texts; of Messages the top-level member, else the first messages */
  system?: readonly string[]
  /** short form: user and assistant in turn, user first; or whole messages */
  says?: readonly (string | Message)[]
  /** how many, or their names */
  tools?: number | readonly string[]
  cached?: ReturnType<RequestFacts['cached']>
  /** further members of the body */
  body?: Json
}

/** Request facts as the pipeline would give them, from a few words. */
export function ask(input: AskInput = {}): RequestFacts {
  const {
    entry = 'messages',
    endpoint = 'generate',
    headers = {},
    caller = { kind: 'local', suffix: null },
    callingProcess = null,
    system = [],
    says = ['hello'],
    tools,
    cached = null,
    body = {},
  } = input
  const messages: Message[] = says.map((said, i) =>
    typeof said === 'string' ? { role: i % 2 === 0 ? 'user' : 'assistant', content: said } : said,
  )
  const last = messages.at(-1)
  const lastUser = messages.findLastIndex((message) => message.role === 'user')
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    entry,
    endpoint,
    caller,
    callingProcess,
    headers: lower,
    recognised: recogniseClient(lower),
    model: 'm',
    stream: true,
    value: (...path) =>
      path.reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : undefined,
        body,
      ),
    systemTexts: (limit) => system.map((text) => text.slice(0, limit)),
    firstUserTexts: () => textsOf(messages.find((message) => message.role === 'user')),
    userTexts: () => messages.filter((message) => message.role === 'user').flatMap(textsOf),
    lastUserTexts: () => {
      const texts = last?.role === 'user' ? textsOf(last) : []
      return texts.length > 0 ? texts : null
    },
    toolCount: () => (typeof tools === 'object' ? tools.length : (tools ?? null)),
    toolNames: () => (typeof tools === 'object' ? tools : Array.from({ length: tools ?? 0 }, (_, i) => `tool-${i}`)),
    answerCount: () => messages.filter((message) => message.role === 'assistant').length,
    cached: () => cached,
    historyDigest: () =>
      createHash('sha1')
        .update(JSON.stringify(messages.slice(0, lastUser)))
        .digest('hex'),
  }
}

function textsOf(message: Message | undefined): string[] {
  if (!message) return []
  if (typeof message.content === 'string') return [message.content]
  return message.content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
}

/** A user message of several texts. */
export const user = (...texts: readonly string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
export const assistant = (text: string): Message => ({ role: 'assistant', content: text })
export const toolResult = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', content: text }],
})
