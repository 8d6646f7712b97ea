import type { ClientKind } from '../../../shared/words.ts'
import { drivesOf } from './drives/index.ts'
import type { Drive, DriveSign } from './drives/profile.ts'
import { personTexts } from './person-text.ts'
import { createTimedPrompts } from './timed-prompts.ts'

/** What a request shows of a conversation, in no protocol's words. A call stands where it was made, its result with it. */
export type DriveStep =
  | { type: 'message'; texts: readonly string[] }
  | { type: 'call'; name: string; arguments: string; result: string | null }

const order: readonly Drive[] = ['own-goal', 'own-loop', 'own-schedule']

/**
 * Whether the agent's own goal, loop or schedule drives the session, by the latest state its request shows.
 *
 * Standing down for ever would be worse than one followup too many: what is over may leave no trace (a goal that was
 * met, a loop that ended with its program). So only what stands behind a person's or Onward's last words counts: where
 * something really drives the session, its next turn shows it again.
 */
export function drivenBy(client: ClientKind, steps: readonly DriveStep[]): Drive | null {
  const { signs, jobs } = drivesOf(client)
  if (signs.length === 0 && jobs === null) return null
  const states = new Map<Drive, { on: boolean; seen: boolean }>()
  const prompts = createTimedPrompts(jobs)

  function take(sign: DriveSign | undefined): void {
    if (!sign) return
    const on = sign.says === 'still' ? states.get(sign.of)?.on === true : sign.says === 'on'
    states.set(sign.of, { on, seen: on })
  }

  function begin(texts: readonly string[]): void {
    prompts.newTurn()
    if (!personTexts(client, texts).some((text) => text !== '' && !prompts.isOne(text))) return
    prompts.newRun()
    for (const [drive, { on }] of states) states.set(drive, { on, seen: false })
  }

  for (const step of steps) {
    if (step.type === 'call') {
      const { name, result } = step
      if (result === null) continue
      take(signs.find(({ when }) => 'tools' in when && when.tools.includes(name) && result.includes(when.result)))
      prompts.called(name, step.arguments, result)
      continue
    }
    if (step.texts.length === 0) continue
    begin(step.texts)
    for (const text of step.texts) {
      take(signs.find(({ when }) => 'text' in when && startsWith(text, when.text) && (when.has === undefined || text.includes(when.has))))
      prompts.came(text)
    }
  }
  return order.find((drive) => (states.get(drive)?.seen ?? false) || (drive === 'own-schedule' && prompts.drive())) ?? null
}

const startsWith = (text: string, start: string): boolean => text.startsWith(start, text.search(/\S|$/))
