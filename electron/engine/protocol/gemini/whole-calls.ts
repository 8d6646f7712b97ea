import { asObject, type JsonObject } from '../values.ts'
import { camelled, type Draft } from './convert/members.ts'
import { addPartialArgs } from './convert/partial-args.ts'

/** A call whose arguments came in pieces (Vertex AI) becomes one part with all of them, as requests have it. */
export function wholeCalls(parts: readonly JsonObject[]): JsonObject[] {
  const whole: JsonObject[] = []
  let open: { args: Draft } | null = null
  for (const part of parts) {
    const asked = asObject(part['functionCall']) ?? asObject(part['function_call'])
    const call = camelled(asked ?? {})
    const isPiece = open !== null || call['partialArgs'] !== undefined || call['willContinue'] !== undefined
    if (!asked || !isPiece) {
      whole.push(part)
      continue
    }
    // An empty call, without a name, says that the one before has ended.
    const begun: { args: Draft } | null = open
    const args: Draft = begun ? begun.args : { ...asObject(call['args']) }
    addPartialArgs(args, call['partialArgs'])
    if (!begun) {
      const { partialArgs: _pieces, willContinue: _more, ...rest } = call
      const { function_call: _snake, ...others } = part
      whole.push({ ...others, functionCall: { ...rest, args } })
    }
    open = call['willContinue'] === true ? { args } : null
  }
  return whole
}
