import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../../canonical/request.ts'
import { asText, type JsonObject } from '../../values.ts'
import { writeSearch } from './web-search.ts'
import type { Note } from './write-input.ts'

const anything: JsonObject = { type: 'object', properties: {} }

/** Declares tools in this protocol; those of one namespace are together at the place of the first. */
export function writeTools(tools: readonly Tool[], model: string, dropped: Note): JsonObject[] {
  const written: JsonObject[] = []
  const groups = new Map<string, JsonObject[]>()
  for (const tool of tools) {
    if (tool.type === 'native') {
      if (tool.of === 'responses') written.push(tool.raw)
      else if (tool.search) written.push(writeSearch(tool.search, model, dropped))
      else dropped(`tools[].${tool.kind}`)
      continue
    }
    if (tool.type === 'function' && tool.cache) dropped('cache_control')
    groupOf(tool, written, groups).push(writeTool(tool))
  }
  return written
}

function groupOf(
  { namespace, namespaceDescription }: Exclude<Tool, { type: 'native' }>,
  written: JsonObject[],
  groups: Map<string, JsonObject[]>,
): JsonObject[] {
  if (namespace === undefined) return written
  const found = groups.get(namespace)
  if (found) return found
  const tools: JsonObject[] = []
  groups.set(namespace, tools)
  // The description is required.
  written.push({ type: 'namespace', name: namespace, description: namespaceDescription ?? namespace, tools })
  return tools
}

/** Without `strict` a tool is strict here and not strict in all other protocols, so it is always written. */
function writeTool(tool: Exclude<Tool, { type: 'native' }>): JsonObject {
  const named = {
    type: tool.type,
    name: tool.name,
    ...(tool.description === null ? {} : { description: tool.description }),
  }
  if (tool.type === 'custom') return tool.format ? { ...named, format: tool.format } : named
  return { ...named, parameters: tool.parameters ?? anything, strict: tool.strict ?? false }
}

export function writeToolChoice(choice: ToolChoice, tools: readonly Tool[]): JsonObject | string {
  const one = (name: string): JsonObject => ({
    type: tools.some((tool) => tool.type === 'custom' && tool.name === name) ? 'custom' : 'function',
    name,
  })
  switch (choice.type) {
    case 'any':
      return 'required'
    case 'tool':
      return one(choice.name)
    case 'search':
      return { type: 'web_search' }
    case 'allowed':
      return { type: 'allowed_tools', mode: choice.mode === 'any' ? 'required' : 'auto', tools: choice.names.map(one) }
    default:
      return choice.type
  }
}

const verbosities: readonly string[] = ['low', 'medium', 'high']

/** Returns the `text` member; null if it would be empty. */
export function writeText(
  { format, verbosity }: Pick<CanonicalRequest, 'format' | 'verbosity'>,
  dropped: Note,
): JsonObject | null {
  const said = verbosity !== null && verbosities.includes(verbosity)
  if (verbosity !== null && !said) dropped('verbosity')
  if (!format && !said) return null
  return { ...(format ? { format: writeFormat(format) } : {}), ...(said ? { verbosity } : {}) }
}

function writeFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return {
    type: 'json_schema',
    name:
      name ??
      (asText(schema['title'])
        ?.replaceAll(/[^\w-]/g, '_')
        .slice(0, 64) ||
        'answer'),
    schema,
    ...(description === null ? {} : { description }),
    ...(strict === null ? {} : { strict }),
  }
}
