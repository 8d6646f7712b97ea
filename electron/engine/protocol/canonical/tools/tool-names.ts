import { createHash } from 'node:crypto'

/** A tool as the client named it. */
export interface ToolName {
  name: string
  namespace: string | null
}

export interface ToolNames {
  /** the name a provider gets; the same one every time, or prompt caches would miss */
  to(tool: ToolName): string
  /** the client's own name behind a provider's; null for one that was never asked for */
  from(name: string): ToolName | null
}

const separator = '__'
const longest = 64

/** Names as the target's protocol allows them: most stay as they are, others are mapped and found again. */
export function toolNames(legal: RegExp, namespaces: boolean): ToolNames {
  const given = new Map<string, ToolName>()
  const known = new Map<string, string>()
  return {
    to(tool) {
      const spoken = tool.namespace === null || namespaces ? tool.name : tool.namespace + separator + tool.name
      const key = `${tool.namespace ?? ''} ${tool.name}`
      const before = known.get(key)
      if (before !== undefined) return before
      const taken = given.has(spoken)
      const name = legal.test(spoken) && !taken ? spoken : mapped(spoken, taken ? key : spoken, legal)
      given.set(name, tool)
      known.set(key, name)
      return name
    },
    from: (name) => given.get(name) ?? null,
  }
}

/** What is illegal becomes `_`; eight digits of its hash keep two names apart. */
function mapped(name: string, apartBy: string, legal: RegExp): string {
  const digits = createHash('sha256').update(apartBy).digest('hex').slice(0, 8)
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - digits.length - 1)
  const candidate = `${plain}_${digits}`
  return legal.test(candidate) ? candidate : `t_${plain.slice(0, longest - digits.length - 3)}_${digits}`
}
