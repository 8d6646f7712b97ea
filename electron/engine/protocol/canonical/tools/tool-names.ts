import { createHash } from 'node:crypto'

/** A tool as the client named it. */
export interface ToolName {
  name: string
  namespace: string | null
}

export interface ToolNames {
  /** the name a provider gets; the same one every time, or prompt caches would miss */
  to(tool: ToolName): string
  /** the client's own name for a provider's; null for one that was never asked for */
  from(name: string): ToolName | null
  /** the name that was given to the tool an answer means; as it came where that is not certain */
  meant(name: string): string
  /** every name given so far, with the client's own */
  given(): readonly GivenName[]
}

export type GivenName = readonly [name: string, tool: ToolName]

const separator = '__'
const longest = 64

/**
 * Groups that models put before the names of tools as their vendors show them: OpenAI's harmony format declares all in
 * `namespace functions` (https://cookbook.openai.com/articles/openai-harmony), Gemini's in `default_api`.
 */
const vendorGroups = ['functions', 'default_api']

/**
 * Names as the target's protocol allows them: most stay as they are, others are mapped and found again. `declared`: the
 * tools that an answer may call; `to` is also asked for those of the history. `before`: names that were given already.
 */
export function toolNames(
  legal: RegExp,
  namespaces: boolean,
  declared: readonly ToolName[],
  before: readonly GivenName[] = [],
): ToolNames {
  const given = new Map(before)
  const known = new Map(before.map(([name, tool]) => [keyOf(tool), name]))
  const names: ToolNames = {
    to(tool) {
      const spoken = tool.namespace === null || namespaces ? tool.name : tool.namespace + separator + tool.name
      const key = keyOf(tool)
      const before = known.get(key)
      if (before !== undefined) return before
      const taken = given.has(spoken)
      const name = legal.test(spoken) && !taken ? spoken : mapped(spoken, taken ? key : spoken, legal)
      given.set(name, tool)
      known.set(key, name)
      return name
    },
    from: (name) => given.get(name) ?? null,
    meant(name) {
      const own = given.get(name)
      if (own && declared.some((tool) => same(tool, own))) return name
      const tool = guessed(name, declared)
      return tool ? names.to(tool) : name
    },
    given: () => [...given],
  }
  return names
}

const keyOf = ({ name, namespace }: ToolName): string => `${namespace ?? ''} ${name}`

const same = (a: ToolName, b: ToolName): boolean => a.name === b.name && a.namespace === b.namespace

/** A name's groups and the name itself, however they are joined. */
const parted = (name: string): string => name.replaceAll(/__|[.:/]/g, '.')

/** The one tool that is meant by a name with other separators, another group or none; null where two could be. */
function guessed(name: string, declared: readonly ToolName[]): ToolName | null {
  const said = parted(name)
  const groups = new Set([
    ...vendorGroups,
    ...declared.flatMap(({ namespace }) => (namespace ? [parted(namespace)] : [])),
  ])
  const bare = [...groups].flatMap((group) => (said.startsWith(`${group}.`) ? [said.slice(group.length + 1)] : []))
  const whole = (tool: ToolName) => parted(tool.namespace ? tool.namespace + separator + tool.name : tool.name)
  const forms = [said, ...bare]
  return (
    only(declared.filter((tool) => whole(tool) === said)) ??
    only(declared.filter((tool) => forms.includes(whole(tool)) || forms.includes(parted(tool.name))))
  )
}

const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null)

/** Illegal characters become `_`; eight digits of a hash keep two names apart. */
function mapped(name: string, apartBy: string, legal: RegExp): string {
  const digits = createHash('sha256').update(apartBy).digest('hex').slice(0, 8)
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - digits.length - 1)
  const candidate = `${plain}_${digits}`
  return legal.test(candidate) ? candidate : `t_${plain.slice(0, longest - digits.length - 3)}_${digits}`
}
