import type { CanonicalRequest, Tool } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { searchTool, writeSearch } from './web-search.ts'
import type { Dropped } from './write-parts.ts'

export function writeTools({ tools, toolChoice }: CanonicalRequest, dropped: Dropped): JsonObject[] {
  // Messages can't offer a choice among some tools: the others are not declared.
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : null
  return tools.flatMap((tool) => {
    if (allowed && tool.type !== 'native' && !allowed.has(tool.name)) return []
    return writeTool(tool, dropped)
  })
}

function writeTool(tool: Tool, dropped: Dropped): JsonObject[] {
  switch (tool.type) {
    case 'native':
      if (tool.of === 'messages') return [tool.raw]
      if (tool.search) return [writeSearch(tool.search, dropped)]
      dropped.add(`tools.${tool.kind}`)
      return []
    case 'custom':
      dropped.add('tools.custom')
      return []
    case 'function': {
      const written: Record<string, unknown> = { name: tool.name }
      if (tool.description !== null && tool.description !== '') written['description'] = tool.description
      written['input_schema'] = inputSchema(tool.parameters)
      if (tool.strict === true) written['strict'] = true
      if (tool.cache) written['cache_control'] = tool.cache
      return [written]
    }
  }
}

/** Anthropic demands `type: object`. */
function inputSchema(parameters: JsonObject | null): JsonObject {
  if (!parameters) return { type: 'object', properties: {} }
  return parameters['type'] === 'object' ? parameters : { ...parameters, type: 'object' }
}

/** null where nothing has to be said. Without tools Anthropic takes no choice. */
export function writeToolChoice(
  { toolChoice, parallelTools }: CanonicalRequest,
  tools: readonly JsonObject[],
  dropped: Dropped,
): JsonObject | null {
  if (tools.length === 0) {
    if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none') dropped.add('tool_choice')
    return null
  }
  const single = parallelTools === false ? { disable_parallel_tool_use: true } : {}
  switch (toolChoice?.type) {
    case undefined:
      return parallelTools === false ? { type: 'auto', ...single } : null
    case 'none':
      return { type: 'none' }
    case 'tool':
      return { type: 'tool', name: toolChoice.name, ...single }
    case 'search':
      return { type: 'tool', name: searchTool, ...single }
    case 'allowed':
      return { type: toolChoice.mode, ...single }
    case 'auto':
    case 'any':
      return { type: toolChoice.type, ...single }
  }
}
