/** A setting's kind, bounds and default, as the schema of the config has them. */
import type { SettingName, SettingRule, SettingValue } from '../settings.ts'
import { configJsonSchema, type Config } from './schema.ts'

interface Node {
  type?: string
  default?: SettingValue
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  enum?: readonly string[]
  anyOf?: readonly Node[]
  properties?: Readonly<Record<string, Node>>
}

let schema: Node | null = null

export function settingRule(name: SettingName): SettingRule {
  schema ??= configJsonSchema() as Node
  const node = name.split('.').reduce<Node | undefined>((at, step) => at?.properties?.[step], schema)
  if (!node) throw new Error(`The config has no ${name}.`)
  const min = node.exclusiveMinimum ?? node.minimum ?? null
  const { maximum } = node
  return {
    kind: kindOf(node),
    default: node.default ?? null,
    min,
    // A maximum that no number exceeds is no bound.
    max: maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum,
    above: node.exclusiveMinimum !== undefined,
    whole: node.type === 'integer',
    choices: node.enum ?? [],
    filled: (node.minItems ?? 0) > 0,
  }
}

function kindOf({ type, enum: choices }: Node): SettingRule['kind'] {
  if (choices) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'array' ? 'list' : 'text'
}

export const settingValue = (config: Config, name: SettingName): SettingValue =>
  name.split('.').reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], config) as SettingValue
