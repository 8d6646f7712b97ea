import type { ClientKind } from '../../../../shared/words.ts'
import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { RequestFacts } from '../../sessions/types.ts'
import type { ClientCall } from '../types.ts'

/** This many messages hold the last words, with the tool results in between. */
const HISTORY = 60

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

/** The facts that identification uses: headers, caller and a few lazily decoded facts of the body. */
export function requestFacts(
  call: Pick<ClientCall, 'entry' | 'endpoint' | 'headers' | 'caller' | 'callingProcess'>,
  lens: RequestLens,
  recognised: ClientKind | null,
): RequestFacts {
  return {
    entry: call.entry,
    endpoint: call.endpoint,
    headers: call.headers,
    recognised,
    caller: call.caller,
    callingProcess: call.callingProcess,
    model: lens.model,
    stream: lens.stream,
    value: (...path) => lens.value(...path),
    systemTexts: (limit, leading) => lens.systemTexts(limit, leading),
    firstUserTexts: () => lens.firstUserTexts(),
    lastUserTexts: () => {
      const last = lens.lastMessage()
      return last?.role === 'user' && last.texts.length > 0 ? last.texts : null
    },
    *userTexts() {
      for (const at of lens.userTexts()) yield at.text()
    },
    history() {
      const asked = lens.asked()[0]?.start ?? lens.body.length
      const before = lens.items().filter(({ end }) => end <= asked)
      return before
        .slice(-HISTORY)
        .map(({ start, end }) => stringsIn(JSON.parse(lens.body.toString('utf8', start, end))))
    },
    toolCount: () => lens.toolCount(),
    toolNames: () => serverToolCodecOf(call.entry).clientTools(lens),
    answerCount: () => serverToolCodecOf(call.entry).turns(lens).length,
    cached: () => cachedOf(lens),
    historyDigest: () => lens.historyDigest(),
  }
}

/** As a client writes it; within a text its quotes would be escaped. */
const cacheMark = '"cache_control":{"type":'

function cachedOf(lens: RequestLens): 'to-the-end' | 'before-the-end' | null {
  const last = lens.lastMessage()
  const items = lens.items()
  const [first, asked, end] = [items[0], items[last?.index ?? -1], items.at(-1)]
  if (lens.protocol !== 'messages' || !first || !asked || !end) return null
  if (lens.body.subarray(asked.start, end.end).includes(cacheMark)) return 'to-the-end'
  return lens.body.subarray(first.start, asked.start).includes(cacheMark) ? 'before-the-end' : null
}
