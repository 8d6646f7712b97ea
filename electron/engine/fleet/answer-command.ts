/** What another engine of the fleet asks for, by the rights that a paired device would need for it. */
import { z } from 'zod'
import { withLook, type DeviceRight } from '../../../shared/devices.ts'
import { operations, type ControlApi, type OperationName } from '../../../shared/operations/index.ts'
import { rightOf } from '../../../shared/operations/rights.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { factsOf } from '../../../shared/problems.ts'
import { withoutTexts } from '../../../shared/without-texts.ts'
import { OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { calledIn } from './subjects.ts'

export interface CommandDeps {
  api: ControlApi
  /** what this engine lets the fleet do, and whether its texts go there */
  granted(): { rights: readonly DeviceRight[]; texts: boolean }
  log: Log
}

/** NATS takes a mebibyte as it comes */
const mostBytes = 1_000_000

/** Returns the text of the answer: what the operation gave, or why not. Never rejects. */
export async function answerCommand(deps: CommandDeps, subject: string, text: string): Promise<string> {
  try {
    const answer = await carryOut(deps, subject, text)
    const said = JSON.stringify({ answer: deps.granted().texts ? answer : withoutTexts(answer) })
    if (Buffer.byteLength(said) > mostBytes)
      throw new OnwardError('fleet-too-large', 'The answer is too large for the hub. Ask for less of it.')
    return said
  } catch (error) {
    if (OnwardError.isInstance(error)) {
      const { code, message, details } = error
      return JSON.stringify({ error: { code, message, facts: factsOf(details) } })
    }
    deps.log.error({ subject, error: error instanceof Error ? error.stack : String(error) }, 'a fleet’s command failed')
    return JSON.stringify({
      error: { code: 'internal', message: 'The engine failed there. Its log says why.', facts: {} },
    })
  }
}

/** @throws OnwardError `fleet-may-not`, `bad-request`, and as the control API refuses it */
export async function carryOut({ api, granted }: CommandDeps, subject: string, text: string): Promise<unknown> {
  const called = calledIn(subject)
  const right = called && rightOf(called.operation)
  const may = right !== null && right === called?.right && withLook(granted().rights).includes(right)
  const operation = called?.operation as OperationName
  if (!may || operations[operation].kind === 'subscription')
    throw new OnwardError(
      'fleet-may-not',
      'The fleet may not ask this engine for that. Do it on its machine, or let it be asked: `fleet.rights` there.',
      { status: 403, details: { operation, right } },
    )
  const shape = operations[operation].input as ((zod: typeof z) => z.ZodType) | null
  const handler = api[operation] as (...args: readonly unknown[]) => Promise<unknown>
  if (shape === null) return (await handler()) ?? null
  const read = await shape(z).safeParseAsync(parseJson(text))
  if (read.success) return (await handler(read.data)) ?? null
  const issues = read.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  throw new OnwardError('bad-request', issues.join('; '), { status: 400 })
}
