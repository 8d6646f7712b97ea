import { z } from 'zod'
import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import { repeatShape } from '../../../../shared/alarms/repeat-shape.ts'
import type { Scope } from '../../../../shared/words.ts'

/**
 * Written down before a route starts, so that no other route takes the task meanwhile and a crash is not mistaken for a
 * delivery. `by`: the outbox entry's group, or `<requestId>:clock` (`:2` and on for those that further rounds took).
 */
const claimShape = z.object({ route: z.enum(alarmRoutes), by: z.string(), at: z.number() })
export type Claim = Readonly<z.infer<typeof claimShape>>

export const taskShape = z.object({
  taskId: z.string().min(1),
  sessionId: z.string().min(1),
  /** epoch milliseconds, like all times here; corrected by the time sync */
  dueAtMs: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  task: z.string(),
  /** hints for the model: what to call, and its arguments as JSON */
  tool: z.string().optional(),
  arguments: z
    .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
    .optional(),
  setBy: z.enum(['model', 'user']).default('model'),
  /** a person got a notice, whatever becomes of the delivery */
  rangAtMs: z.number().optional(),
  deliveredAtMs: z.number().optional(),
  deliveryCount: z.number().int().min(0).default(0),
  /** the request it was set in, where it was due at once: it may not come back within the same HTTP call */
  notBeforeRequestId: z.string().optional(),
  claim: claimShape.optional(),
  /** it comes again: when its time is over, the same alarm is due at the next */
  repeat: repeatShape(z).optional(),
  /** one time of this repeated alarm, put off */
  copyOf: z.string().optional(),
})
/** An alarm. */
export type Task = Readonly<z.infer<typeof taskShape>>

/** null: the text is no JSON object */
export function jsonObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** All alarms of one session, as `clock/<sessionId>.json` keeps them. */
export interface SessionTasks {
  readonly sessionId: string
  /** the terminal it lived in when one of them was last set or typed */
  readonly scope?: Scope | undefined
  readonly tasks: readonly Task[]
  readonly updatedAtMs: number
}
