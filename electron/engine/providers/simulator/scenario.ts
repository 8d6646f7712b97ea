import { z } from 'zod'
import { OnwardError, messageOf } from '../../base/errors.ts'
import type { Facts } from './facts.ts'
import { plainReply, replyTo, type Reply } from './reply.ts'

const reply = z
  .object({
    text: z.string().default(''),
    thinking: z.string().default(''),
    tools: z
      .array(
        z
          .object({
            name: z.string().min(1),
            arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
          })
          .strict(),
      )
      .default([]),
    finish: z.enum(['stop', 'length', 'refusal']).default('stop'),
    cut: z.enum(['break off', 'no end', 'error event']).nullable().default(null),
    waitMs: z.number().int().min(0).max(600_000).default(0),
    gapMs: z.number().int().min(0).max(600_000).default(0),
    hang: z.boolean().default(false),
    error: z
      .object({
        status: z.number().int().min(400).max(599),
        retryAfter: z.number().int().min(0).nullable().default(null),
        times: z.number().int().positive().nullable().default(null),
      })
      .strict()
      .nullable()
      .default(null),
  })
  .strict()

/**
 * A scenario file: the n-th assistant turn of a conversation gets the n-th reply, so a client's retry gets the same
 * one.
 */
const scenarioSchema = z
  .object({
    replies: z.array(reply).min(1),
    /** after the last reply: start again, repeat the last one, or follow the words of the message */
    after: z.enum(['repeat', 'last', 'words']).default('words'),
  })
  .strict()

export type Scenario = z.infer<typeof scenarioSchema>

/** @throws OnwardError `bad-scenario` (status 500) with the first thing that is wrong */
export function parseScenario(name: string, text: string): Scenario {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new OnwardError('bad-scenario', `The simulator's scenario ${name} is not JSON: ${messageOf(error)}`, {
      cause: error,
    })
  }
  const checked = scenarioSchema.safeParse(value)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new OnwardError(
    'bad-scenario',
    `The simulator's scenario ${name} is wrong at ` +
      `${issue?.path.join('.') || 'its root'}: ${issue?.message ?? 'unreadable'}`,
    { cause: checked.error },
  )
}

export function replyFrom(scenario: Scenario, facts: Facts): Reply {
  if (facts.schema !== null) return replyTo(facts)
  const { replies, after } = scenario
  const index =
    facts.turn < replies.length
      ? facts.turn
      : after === 'repeat'
        ? facts.turn % replies.length
        : after === 'last'
          ? replies.length - 1
          : -1
  const found = replies[index]
  if (!found) return replyTo(facts)
  const tools = found.tools.map((tool) => ({
    name: tool.name,
    arguments: typeof tool.arguments === 'string' ? tool.arguments : JSON.stringify(tool.arguments),
    freeform: facts.freeform.has(tool.name),
  }))
  return {
    ...plainReply,
    ...found,
    tools,
    finish: tools.length > 0 && found.finish === 'stop' ? 'tool-calls' : found.finish,
  }
}
