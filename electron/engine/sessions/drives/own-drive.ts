import type { ClientKind } from '../../../../shared/words.ts'
import { drivesOf } from './index.ts'
import type { Drive, DriveSign } from './profile.ts'
import { personTexts } from '../identify/person-text.ts'
import { createTimedPrompts } from '../identify/timed-prompts.ts'

/**
 * The steps of a conversation in a request, in no protocol's words. A call stands where it was made, with its result.
 */
export type DriveStep =
  | { type: 'message' | 'system'; texts: readonly string[] }
  | { type: 'call'; name: string; arguments: string; result: string | null }

const order: readonly Drive[] = ['own-goal', 'own-loop', 'own-schedule']

/**
 * Returns whether the agent's own goal, loop or schedule drives the session, by the latest state its request shows.
 *
 * Standing down for ever would be worse than one followup too many: a drive that is over may leave no trace (a goal
 * that was met, a loop that ended with its program). So only the part after a person's or Onward's last words counts:
 * if something really drives the session, its next turn shows it again.
 */
export function drivenBy(client: ClientKind, steps: readonly DriveStep[]): Drive | null {
  const { signs, jobs } = drivesOf(client)
  if (signs.length === 0 && jobs === null) return null
  const states = new Map<Drive, { on: boolean; at: number }>()
  const prompts = createTimedPrompts(jobs)

  function take(sign: DriveSign | undefined, at: number): void {
    if (sign)
      states.set(sign.of, { on: sign.says === 'still' ? states.get(sign.of)?.on === true : sign.says === 'on', at })
  }

  for (const [at, step] of steps.entries()) {
    if (step.type === 'message') {
      for (const text of step.texts) {
        take(
          signs.find(
            ({ when }) =>
              'text' in when && startsWith(text, when.text) && (when.has === undefined || text.includes(when.has)),
          ),
          at,
        )
        prompts.came(text, at)
      }
    } else if (step.type === 'call' && step.result !== null) {
      const { name, result } = step
      take(
        signs.find(({ when }) => 'tools' in when && when.tools.includes(name) && result.includes(when.result)),
        at,
      )
      prompts.called(name, step.arguments, result, at)
    }
  }

  // A person's words are looked for from the end: in a long conversation that is much less than all of it.
  const since = steps.findLastIndex(
    (step) =>
      step.type === 'message' && personTexts(client, step.texts).some((text) => text !== '' && !prompts.isOne(text)),
  )
  return (
    order.find((drive) => {
      const state = states.get(drive)
      return (state?.on === true && state.at >= since) || (drive === 'own-schedule' && prompts.drive(since))
    }) ?? null
  )
}

/** True if the agent goes on by itself, since a limit was reset. */
export const goesOnAtReset = (client: ClientKind, texts: readonly string[]): boolean =>
  drivesOf(client).atReset?.some((start) => texts.some((text) => startsWith(text, start))) ?? false

const startsWith = (text: string, start: string): boolean => text.startsWith(start, text.search(/\S|$/))
