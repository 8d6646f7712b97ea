import type { RequestLens } from '../../protocol/types.ts'
import type { Turn } from '../turn.ts'

const nothing = Buffer.alloc(0)

/** Lets go of a request's bytes; what was read of it stays readable, the rest is empty. */
export function releaseRequest(turn: Turn): void {
  const { protocol, model, stream, streamForm } = turn.lens
  turn.call.body = nothing
  turn.edits = []
  turn.declared = null
  delete turn.described
  delete turn.tail
  const empty: RequestLens = {
    protocol,
    model,
    stream,
    ...(streamForm === undefined ? {} : { streamForm }),
    body: nothing,
    userTexts: () => [],
    lastMessage: () => null,
    firstUserTexts: () => [],
    systemTexts: () => [],
    toolCount: () => null,
    value: () => undefined,
    place: () => null,
    messageCount: () => 0,
    items: () => [],
    asked: () => [],
    historyDigest: () => '',
  }
  turn.lens = empty
}
