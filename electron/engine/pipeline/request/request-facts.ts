import type { ClientKind } from '../../../../shared/words.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { RequestFacts } from '../../sessions/types.ts'
import type { ClientCall } from '../types.ts'

/** What identification may look at: headers, caller and a few lazily decoded facts of the body. */
export function requestFacts(call: ClientCall, lens: RequestLens, recognised: ClientKind | null): RequestFacts {
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
    systemTexts: (limit) => lens.systemTexts(limit),
    firstUserTexts: () => lens.firstUserTexts(),
    lastUserTexts: () => {
      const last = lens.lastMessage()
      return last?.role === 'user' && last.texts.length > 0 ? last.texts : null
    },
    *userTexts() {
      for (const at of lens.userTexts()) yield at.text()
    },
    toolCount: () => lens.toolCount(),
    historyDigest: () => lens.historyDigest(),
  }
}
