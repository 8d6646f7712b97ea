/**
 * Everything that can be wrong in a config text: a stable code and the facts its sentence is made of. None repeats a
 * text that may be a key.
 */
import type { ProblemFacts } from '../problems.ts'

/** `inner…`: for a text that fits none of several forms, the fault by the first of them */
export interface FaultFacts {
  // the text
  'too-large': { mebibytes: number }
  'too-deep': object
  empty: object
  syntax: { kind: string }
  'bad-name': object
  twice: { name: string }
  'env-unset': { name: string }
  'env-unnamed': object
  unchecked: { why: string }
  // the file
  'link-to-nothing': { file: string }
  unreadable: { file: string; why: string }
  'not-utf8': object
  // the schema
  'unknown-setting': { name: string }
  missing: object
  'wrong-type': { expected: string }
  'one-of': { values: readonly string[] }
  'no-form': { inner: string } & ProblemFacts
  'too-small': { of: string; least: number; above: boolean }
  'too-big': { of: string; most: number; below: boolean }
  address: object
  'provider-id': object
  'time-of-day': object
  'bad-form': { pattern: string }
  other: { said: string }
  // rules between settings
  'key-twice': { alias: string }
  'provider-key-twice': { provider: string; alias: string }
  'open-host': { host: string }
  'no-base-url': { provider: string }
  'via-and-own': { provider: string; engine: string; member: string }
  'two-origins': { vendor: string; first: string; firstOrigin: string; second: string; secondOrigin: string }
  'no-target': { target: string }
  'route-provider': { route: string; provider: string }
  'outside-twice': { name: string }
  'outside-address': { name: string }
  'outside-tokens': { name: string }
  'outside-topic': { name: string }
  'quiet-none': { from: string; to: string }
  // the file of a policy
  'policy-missing': { file: string }
  'policy-unreadable': { file: string; why: string }
  // held by a policy; `by`: the organisation's name, empty where it gave none
  'held-provider': { provider: string; by: string }
  'held-model': { target: string; by: string }
  'held-budget': { setting: string; most: number; by: string }
  'held-tool': { tool: string; by: string }
  'held-phone': { by: string }
  'held-telemetry': { by: string }
  'held-fleet': { fleet: string; by: string }
}

export type FaultCode = keyof FaultFacts

export interface ConfigFault {
  code: FaultCode
  facts: ProblemFacts
}

export const faultOf = <C extends FaultCode>(code: C, facts: FaultFacts[C] & ProblemFacts): ConfigFault => ({
  code,
  facts,
})
