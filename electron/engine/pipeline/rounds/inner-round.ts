import { OnwardError } from '../../base/errors.ts'
import type { RouteChoice } from '../../router/types.ts'
import type { RequestDraft } from '../request/request-draft.ts'
import type { AnswerClient, SendDeps } from '../send/deps.ts'
import { send } from '../send/send.ts'
import type { Turn, TurnEnd } from '../turn.ts'

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
