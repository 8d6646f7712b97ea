import type { Policy } from '../../../../shared/policy/policy.ts'
import { policyOf, policySchema } from '../../../../shared/policy/schema.ts'
import { checkText } from '../check.ts'
import type { ConfigProblem } from '../types.ts'

/** Reads a policy's text: JSON with comments, and no variables, which a person could set. Never throws. */
export function readPolicy(
  text: string,
  source: string,
): { policy: Policy | null; problems: readonly ConfigProblem[] } {
  const { value, problems } = checkText(policySchema, text, null, () => [])
  return { policy: value && policyOf(value, source), problems }
}
