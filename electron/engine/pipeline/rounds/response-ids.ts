import { putNewest } from '../../base/newest.ts'
import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import { rewritten } from '../request/request-draft.ts'
import type { Turn } from '../turn.ts'

/** The provider's side of a response that was made of several rounds. */
export interface Continuation {
  /** the last round's id; the client has the first's, since one response has one id */
  continuesAs: string
  /** results of hidden calls that the provider still waits for */
  results: readonly string[]
}

/**
 * Responses whose id means something else to the provider than to the client, for clients that name the previous one
 * (`previous_response_id`). In memory for all; a session's ledger keeps its own (restore-history.ts).
 */
export interface ResponseIds {
  note(clientId: string, continuation: Continuation): void
  of(clientId: string): Continuation | null
}

const most = 2_000

export function createResponseIds(): ResponseIds {
  const known = new Map<string, Continuation>()
  return {
    note(clientId, continuation) {
      putNewest(known, clientId, continuation, most)
    },
    of: (clientId) => known.get(clientId) ?? null,
  }
}

/**
 * Lets a request go on from where the provider really is: with its id for the response, and the results it waits for.
 */
export function continueFrom(turn: Turn, { continuesAs, results }: Continuation): void {
  const { lens } = turn.draft
  const at = lens.place('previous_response_id')
  const renamed =
    at && lens.value('previous_response_id') !== continuesAs
      ? [{ ...at, replacement: JSON.stringify(continuesAs) }]
      : []
  const added = results.length === 0 ? [] : (serverToolCodecOf(lens.protocol).resultsFor?.(lens, results) ?? [])
  turn.draft = rewritten(turn.draft, [...renamed, ...added])
}
