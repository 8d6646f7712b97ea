import type { Tool } from '../request.ts'

/**
 * Each tool once: providers refuse two of one name. Codex declares a tool again in `additional_tools` and in the
 * results of a tool search, while it stands deferred in `tools`
 * (https://platform.openai.com/docs/guides/tools-tool-search). Of different declarations the one with parameters
 * counts, for a deferred tool may be declared by name alone; among equals the later one, which is what the client knows
 * last. It stands where the first one stood, so that prompt caches hold.
 */
export function uniqueTools(tools: readonly Tool[]): { tools: readonly Tool[]; dropped: readonly string[] } {
  const places = new Map<string, number>()
  const kept: Tool[] = []
  let differ = false
  for (const tool of tools) {
    const key = keyOf(tool)
    const place = places.get(key)
    const before = place === undefined ? undefined : kept[place]
    if (place === undefined || before === undefined) {
      places.set(key, kept.length)
      kept.push(tool)
      continue
    }
    if (JSON.stringify(before) === JSON.stringify(tool)) continue
    differ = true
    if (isDescribed(tool) || !isDescribed(before)) kept[place] = tool
  }
  return kept.length === tools.length
    ? { tools, dropped: [] }
    : { tools: kept, dropped: differ ? ['tools[] of the same name'] : [] }
}

/** Tools that a vendor runs are the same if they are equal in every member. */
const keyOf = (tool: Tool): string =>
  tool.type === 'native'
    ? `native ${tool.of} ${JSON.stringify(tool.raw)}`
    : `named ${JSON.stringify([tool.namespace ?? null, tool.name])}`

const isDescribed = (tool: Tool): boolean => tool.type !== 'function' || tool.parameters !== null
