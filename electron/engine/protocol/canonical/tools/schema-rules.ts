import type { WireProtocol } from '../request.ts'

/** The limits of a vendor for the schema of a strict tool or answer; it answers anything else with a 400. */
export interface StrictRules {
  keywords: ReadonlySet<string>
  formats: ReadonlySet<string>
  /** every property must be required */
  allRequired: boolean
  /** the most `minItems` may say */
  minItems: number
  /** levels of objects and lists */
  depth: number
  /** in one request */
  tools: number
  /** properties that are not required, in one request */
  optional: number
  /** properties of several types, in one request */
  unions: number
}

const common = [
  'type',
  'description',
  'title',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
]
const commonFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const openaiRules: StrictRules = {
  keywords: new Set([
    ...common,
    'anyOf',
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minItems',
    'maxItems',
  ]),
  formats: new Set(commonFormats),
  allRequired: true,
  minItems: Infinity,
  depth: 10,
  tools: Infinity,
  optional: 0,
  unions: Infinity,
}

/**
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations: properties may be
 * left out of `required` and have several types, up to a number for all schemas of a request together.
 */
const anthropicRules: StrictRules = {
  keywords: new Set([...common, 'anyOf', 'format', 'minItems', 'default']),
  formats: new Set([...commonFormats, 'uri']),
  allRequired: false,
  minItems: 1,
  depth: Infinity,
  tools: 20,
  optional: 24,
  unions: 16,
}

/** By protocol; null: Gemini takes any schema. */
export const strictRules: Readonly<Record<WireProtocol, StrictRules | null>> = {
  chat: openaiRules,
  responses: openaiRules,
  messages: anthropicRules,
  gemini: null,
}
