import type { Clock } from '../../base/clock.ts'
import { emptySummary, type Turn, type TurnEnd } from '../turn.ts'
import type { Reply } from '../types.ts'

/**
 * Answers a message that held only commands in one line, in the entry protocol, without calling a provider.
 */
export async function answerMyself(turn: Turn, text: string, clock: Clock): Promise<TurnEnd> {
  const { call, codec } = turn
  const { lens } = turn.draft
  const { contentType, body } = codec.answer({
    id: call.requestId,
    model: lens.model ?? 'onward',
    text,
    stream: lens.stream,
    ...(lens.streamForm === undefined ? {} : { streamForm: lens.streamForm }),
    nowMs: clock.now(),
    asked: call.body,
    includeUsage: lens.value('stream_options', 'include_usage') === true,
  })
  call.reply.head(200, {
    'content-type': contentType,
    'content-length': String(body.length),
    'cache-control': 'no-cache',
  })
  call.reply.end(body)
  await closed(call.reply)
  return {
    summary: { ...emptySummary('stop', null), text },
    status: 200,
    route: null,
    choice: null,
    ttfbMs: clock.monotonic() - call.receivedAt,
    durationMs: clock.monotonic() - call.receivedAt,
    bytesOut: body.length,
    clientLeft: call.reply.left,
  }
}

/** Only then is it known if the client stayed for its answer; one that left asks again, and nothing is done twice. */
const closed = (reply: Reply): Promise<void> => new Promise((resolve) => reply.onClose(resolve))
