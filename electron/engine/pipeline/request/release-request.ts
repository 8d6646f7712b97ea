import type { Mutable } from '../../base/mutable.ts'
import { codecOf } from '../../protocol/index.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { Turn } from '../turn.ts'
import { unchanged } from './request-draft.ts'

const nothing = Buffer.alloc(0)
let emptyLens: RequestLens | null = null

/** No further round needs the request's bytes: their memory may go now. A later reader would find nothing there. */
export const giveBack = ({ call, requestBytes }: Turn, bytes: Buffer): void =>
  call.bodyReleased?.(requestBytes.held ? undefined : bytes)

/** Lets go of a request's bytes; what was read of it stays readable, the rest is empty. */
export function releaseRequest(turn: Turn): void {
  const { read, lens } = turn.draft
  const { protocol, model, stream, streamForm } = lens
  emptyLens ??= { ...codecOf('chat').read(Buffer.from('{}')), body: nothing }
  turn.call.body = nothing
  const left: Mutable<RequestLens> = { ...emptyLens, protocol, model, stream }
  if (streamForm !== undefined) left.streamForm = streamForm
  turn.draft = unchanged(left, read)
}
