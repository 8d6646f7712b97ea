import type { HoldReason } from '../../shared/events.ts'
import type { TestControl } from './control-client.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** The entry of stopMessage's nth round, once it is queued. */
export async function queuedRound(control: TestControl, round: number): Promise<string> {
  return waitFor(`followup ${round}`, () => {
    const body = control.events.findLast((e) => e.body.type === 'queued' && e.body.round === round)?.body
    return body?.type === 'queued' && body.entryId
  })
}

/** @returns the reason once the entry waits for one of these */
export async function heldFor(
  control: TestControl,
  entryId: string,
  ...codes: HoldReason['code'][]
): Promise<HoldReason> {
  return waitFor(`a hold: ${codes.join(' or ')}`, () => {
    const last = control.events.findLast((e) => 'entryId' in e.body && e.body.entryId === entryId)?.body
    return last?.type === 'held' && codes.includes(last.reason.code) && last.reason
  })
}

/**
 * The nth followup waits because a person is in the middle of a line: told by keys in an own PTY, by the composer in
 * tmux.
 */
export async function heldBehindLine(control: TestControl, round: number): Promise<string> {
  const entryId = await queuedRound(control, round)
  await heldFor(control, entryId, 'typing', 'draft')
  return entryId
}

/** What the person was told, once it is this much. */
export async function noticesTold(control: TestControl, count: number): Promise<readonly string[]> {
  await waitFor(`${count} notices`, () => control.notices.length >= count)
  return control.notices.map((n) => n.class)
}
