import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { isClaude } from '../../protocol/canonical/thinking/foreign-seals.ts'
import type { RouteChoice } from '../../router/types.ts'
import type { RequestDraft, Turn, TurnEnd } from '../turn.ts'
import type { AnswerClient, SendDeps } from '../send/deps.ts'
import { send } from '../send/send.ts'

/** Sends one further request of an HTTP call, to the provider, model and key of the first. Never rejects. */
export async function sendInner(
  turn: Turn,
  draft: RequestDraft,
  client: AnswerClient,
  deps: SendDeps,
  choice: RouteChoice | null,
): Promise<{ end: TurnEnd | null; error: unknown }> {
  try {
    if (!choice) throw new OnwardError('no-route', 'It is not known where the first round went.')
    const headers = Object.fromEntries(Object.entries(turn.call.headers).filter(([name]) => !namesOneRequest.has(name)))
    const inner: Turn = {
      ...turn,
      reentered: true,
      draft,
      call: {
        ...turn.call,
        body: draft.lens.body,
        headers,
        receivedAt: deps.clock.monotonic(),
        bodyReleased: () => undefined,
      },
    }
    return {
      end: await send(inner, { ...deps, choose: only(choice), hasRoute: (_ask, tried) => tried.length === 0 }, client),
      error: null,
    }
  } catch (error) {
    return { end: null, error }
  }
}

/** A provider repeats its earlier answer for a known key. */
const namesOneRequest = new Set(['idempotency-key', 'x-idempotency-key'])

const only =
  (choice: RouteChoice): SendDeps['choose'] =>
  (_ask, tried) => {
    if (tried.length > 0)
      throw new OnwardError('no-route', 'A further round stays with the provider and key of its first.')
    return choice
  }

/**
 * True for Claude's empty answer to a tool's result when its turn is over
 * (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, "Empty responses with end_turn"), in
 * any protocol. Asked again, it says so once more, or does something the user did not want. `afterResults`: the request
 * ends in results.
 */
export const isSilentEnd = ({ choice, summary }: Pick<TurnEnd, 'choice' | 'summary'>, afterResults: boolean): boolean =>
  summary.finish === 'stop' && isClaude(choice?.upstreamModel ?? '') && afterResults

/** Far more often than any client's idle limit requires. */
const everyMs = 10_000

/** Calls `beat` as long as nothing else goes to the client. */
export function keepAlive(clock: Clock, beat: () => void): Disposable {
  let timer: Disposable | null = null
  const again = () => {
    timer = clock.after(everyMs, () => {
      beat()
      again()
    })
  }
  again()
  return {
    dispose() {
      timer?.dispose()
      timer = null
    },
  }
}
