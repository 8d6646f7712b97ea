import { isLeftOver, isUnseen, type OutboxEntry } from '../entry/entry.ts'
import type { SendContext } from './context.ts'
import { heldBy } from './outcome.ts'
import { orderOf, read, targetOf } from './reading.ts'
import { within } from './typing-run.ts'

/** Takes out a text of ours that is not to be sent now, or no longer, before it merges with a person's words. */
export async function takeOut(context: SendContext): Promise<void> {
  const { writer, clock, settings, over, line, leftTexts } = context
  const entry = leftTexts.due(writer.state.entries)
  const target = entry && targetOf(context)
  if (!entry || !target) return
  if (!isUnseen(entry) && (await read(context, target)).kind === 'ready')
    return writer.queue(() => alreadyOut(context, entry))
  const never = new AbortController()
  const result = await within(
    clock,
    settings().outMs,
    // as it was typed: in a terminal without bracketed paste its lines were folded, and the comparison folds them too
    target.takeOut(orderOf(context, entry, true), { requestArrived: never.signal, stop: over.signal }),
    over.signal,
  ).catch(() => null)
  if (over.signal.aborted) return
  await writer.queue(async () => {
    if (result?.kind === 'enter-owed') line.saw(result.reason)
    // a host of an earlier version looks no further
    if (result?.kind === 'unknown' && isUnseen(entry)) return alreadyOut(context, entry)
    if (result?.kind !== 'removed') return leftTexts.tried(entry.id)
    await writer.commit('best-effort', (draft) =>
      draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'onward', reason: heldBy(entry) }),
    )
  })
}

/** Inside the queue: it went without us. If it is still wanted, its fate is judged when its turn comes. */
async function alreadyOut({ writer, clock, leftTexts }: SendContext, entry: OutboxEntry): Promise<void> {
  leftTexts.tried(entry.id)
  if (isLeftOver(entry))
    await writer.commit('best-effort', (draft) =>
      draft.apply(entry.id, { type: 'remove', at: clock.now(), by: 'person', reason: heldBy(entry) }),
    )
}
