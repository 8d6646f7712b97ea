import type { CanonicalRequest, Tool, ToolChoice, WebSearch } from '../../canonical/request.ts'
import { noteLost } from '../../canonical/web-search.ts'
import type { JsonObject } from '../../values.ts'
import { isOpenaiModel } from '../../canonical/models.ts'
import type { Pen, Written } from './write-messages.ts'

/** Puts tools and what is said about them into the body. Without tools servers refuse the rest of it. */
export function writeTools(request: CanonicalRequest, body: Written, pen: Pen): void {
  // Models that search do so always: nothing has to force them.
  const toolChoice = request.toolChoice?.type === 'search' ? null : request.toolChoice
  // `allowed_tools` is OpenAI's own; to others the tools that are not allowed are simply not shown.
  const shown =
    toolChoice?.type === 'allowed' && !isOpenaiModel(pen.model)
      ? allowedOf(request.tools, toolChoice.names)
      : request.tools
  const tools: JsonObject[] = []
  for (const tool of shown) {
    if (tool.type === 'native') {
      if (tool.of === 'chat' && tool.kind === 'web_search_options') body['web_search_options'] = tool.raw
      else if (tool.of === 'chat') tools.push(tool.raw)
      else if (tool.search) body['web_search_options'] = writeSearch(tool.search, pen)
      else pen.dropped.add(`tools.${tool.kind}`)
    } else tools.push(writeTool(tool, pen))
  }
  if (tools.length === 0) {
    if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none') pen.dropped.add('tool_choice')
    if (request.parallelTools !== null) pen.dropped.add('parallel_tool_calls')
    return
  }
  body['tools'] = tools
  if (toolChoice) body['tool_choice'] = writeChoice(toolChoice, request.tools, pen)
  if (request.parallelTools !== null) body['parallel_tool_calls'] = request.parallelTools
}

/** OpenAI's search models and Perplexity's: others refuse `web_search_options` or pass over them. */
export const takesSearch = (model: string): boolean => /-search-(?:preview|api)|^(?:perplexity\/)?sonar/i.test(model)

function writeSearch(search: WebSearch, pen: Pen): JsonObject {
  noteLost(search, ['location', 'contextSize'], (name) => pen.dropped.add(name))
  return {
    ...(search.contextSize !== null && { search_context_size: search.contextSize }),
    ...(search.location && { user_location: { type: 'approximate', approximate: search.location } }),
  }
}

const allowedOf = (tools: readonly Tool[], names: readonly string[]): readonly Tool[] =>
  tools.filter((tool) => tool.type !== 'native' && names.includes(tool.name))

function writeTool(tool: Exclude<Tool, { type: 'native' }>, pen: Pen): JsonObject {
  const named: Written = { name: tool.name }
  if (tool.description !== null) named['description'] = tool.description
  if (tool.type === 'custom') {
    if (tool.format) named['format'] = nested(tool.format)
    return { type: 'custom', custom: named }
  }
  if (tool.parameters) named['parameters'] = tool.parameters
  if (tool.strict !== null) named['strict'] = tool.strict
  if (tool.cache) pen.dropped.add('cache_control')
  return { type: 'function', function: named }
}

function nested(format: JsonObject): JsonObject {
  if (format['type'] !== 'grammar' || 'grammar' in format) return format
  const { type, ...grammar } = format
  return { type, grammar }
}

function writeChoice(choice: Exclude<ToolChoice, { type: 'search' }>, tools: readonly Tool[], pen: Pen): unknown {
  const named = (name: string): JsonObject =>
    tools.some((tool) => tool.type === 'custom' && tool.name === name)
      ? { type: 'custom', custom: { name } }
      : { type: 'function', function: { name } }
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type
    case 'any':
      return 'required'
    case 'tool':
      return named(choice.name)
    case 'allowed': {
      const mode = choice.mode === 'any' ? 'required' : 'auto'
      return isOpenaiModel(pen.model)
        ? { type: 'allowed_tools', allowed_tools: { mode, tools: choice.names.map(named) } }
        : mode
    }
  }
}
