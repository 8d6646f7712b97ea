import type { EntryProtocol } from '../../../../shared/words.ts'
import { requestOf, userItem } from './client-view.ts'
import { clockScene, seconds, type ClockSceneOptions } from './clock-scene.ts'
import type { Says } from './scripted-upstream.ts'

/** Too late to go with the request, soon enough for an answer that takes 40 s. */
export const ahead = 90 * seconds
export const taken = 40 * seconds
export const wait = ahead - taken

export interface HeldOptions extends ClockSceneOptions {
  says?: Says
  stream?: boolean
}

/** A request whose first answer has just ended, 50 s before its alarm “look”. `idle`: timers without it */
export async function heldScene(
  entry: EntryProtocol,
  { says = { text: 'One.' }, stream = true, ...options }: HeldOptions = {},
) {
  const s = await clockScene(entry, options)
  const { taskId } = await s.world.set('s1', ahead, 'look')
  const idle = s.world.clock.pending()
  const asked = await s.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream })
  const first = await s.upstream.round(1)
  await s.world.clock.advance(taken)
  first.answer(says)
  await s.rest()
  return { s, first, idle, taskId, ...asked }
}
