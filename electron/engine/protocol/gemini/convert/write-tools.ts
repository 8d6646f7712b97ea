import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { noteLost } from '../../canonical/web-search.ts'
import type { Draft } from './members.ts'
import { thinksInLevels } from './models.ts'

/**
 * Schemas are written as they are: `parametersJsonSchema` takes JSON Schema and ignores what it does not know, while
 * `parameters` refuses it (FunctionDeclaration of the Gemini API; the CLI of Google does the same).
 */
export function writeTools({ tools, toolChoice }: CanonicalRequest, body: Draft, dropped: Set<string>): void {
  const declarations: JsonObject[] = []
  const natives: JsonObject[] = []
  let strict = 0
  for (const tool of tools) {
    if ('cache' in tool && tool.cache) dropped.add('cache_control')
    if (tool.type === 'native') {
      if (tool.of === 'gemini') natives.push(tool.raw)
      else if (tool.search) {
        // Only Vertex AI has its filters: the Gemini API refuses them.
        noteLost(tool.search, [], (name) => dropped.add(name))
        natives.push({ googleSearch: {} })
      } else dropped.add(`tools[].${tool.kind}`)
      continue
    }
    declarations.push(declaration(tool))
    if (tool.type === 'function' && tool.strict === true) strict++
  }
  // Search can't be forced, and can't be combined with functions.
  if (toolChoice?.type === 'search') {
    if (declarations.length > 0) dropped.add('tools')
    dropped.add('toolChoice')
    body['tools'] = natives
    return
  }
  const entries = declarations.length > 0 ? [{ functionDeclarations: declarations }, ...natives] : natives
  if (entries.length > 0) body['tools'] = entries
  const choice = toolChoice ?? { type: 'auto' }
  const validated = strict > 0 && strict === declarations.length
  // ANY and VALIDATED enforce the schemas of calls; AUTO with only some strict tools can't be expressed
  if (strict > 0 && !validated && choice.type === 'auto') dropped.add('tools[].strict')
  if (declarations.length === 0) {
    if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none') dropped.add('toolChoice')
  } else if (toolChoice || validated) body['toolConfig'] = { functionCallingConfig: calling(choice, validated) }
}

/**
 * Google refuses its search beside functions (newer models take both and want its calls back, which no other protocol
 * holds) and, up to 2.5, beside an answer in JSON.
 */
export const takesSearch = (model: string, { tools, toolChoice, format }: CanonicalRequest): boolean =>
  !/gemma|gemini-1/.test(model) &&
  (toolChoice?.type === 'search' || tools.every((tool) => tool.type === 'native')) &&
  (format === null || thinksInLevels(model))

function declaration(tool: Exclude<Tool, { type: 'native' }>): JsonObject {
  const parameters = tool.type === 'function' ? tool.parameters : null
  return {
    name: tool.name,
    ...(tool.description !== null && { description: tool.description }),
    ...(parameters && { parametersJsonSchema: parameters }),
  }
}

/** Names may only be narrowed with ANY and VALIDATED; the latter also lets the model answer in text. */
function calling(choice: Exclude<ToolChoice, { type: 'search' }>, validated: boolean): JsonObject {
  switch (choice.type) {
    case 'auto':
      return { mode: validated ? 'VALIDATED' : 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'any':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return { mode: choice.mode === 'any' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
  }
}
