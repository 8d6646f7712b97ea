import type { Tool, ToolChoice, WebSearch } from '../../canonical/request.ts'
import { placeOf, plainSearch } from '../../canonical/web-search.ts'
import { isWebSearch } from '../../needs/parts.ts'
import { asList, asName, asObject, type JsonObject } from '../../values.ts'
import { badRequest, listAt, noteUnread, noteUnreadOf, objectAt, type Unread } from './members.ts'

const knownTool = new Set(['type', 'function', 'custom'])
const knownFunction = new Set(['name', 'description', 'parameters', 'strict'])
const knownFormat = new Set(['type', 'grammar'])
const knownChoice = new Set(['type', 'function', 'custom', 'name', 'allowed_tools', 'mode', 'tools'])
const knownNamed = new Set(['name'])
const knownCustom = new Set(['name', 'description', 'format'])

/** `tools`, the older `functions`, and `web_search_options`, which is a tool of OpenAI's own. */
export function readTools(body: JsonObject, unread: Unread): Tool[] {
  const tools = listAt(body['tools'], 'tools').map((tool, i) =>
    readTool(objectAt(tool, `tools[${i}]`), `tools[${i}]`, unread),
  )
  listAt(body['functions'], 'functions').forEach((fn, i) =>
    tools.push(readFunction(objectAt(fn, `functions[${i}]`), `functions[${i}]`, unread)),
  )
  const search = asObject(body['web_search_options'])
  if (search) {
    const asked = readSearch(search, unread)
    tools.push({ type: 'native', of: 'chat', kind: 'web_search_options', raw: search, search: asked })
  }
  return tools
}

const knownSearch = new Set(['search_context_size', 'user_location'])

function readSearch(search: JsonObject, unread: Unread): WebSearch {
  noteUnread(search, knownSearch, 'web_search_options.', unread)
  const location = asObject(search['user_location'])
  const [place, contextSize] = [asObject(location?.['approximate']), asName(search['search_context_size'])]
  return { ...plainSearch, location: placeOf(place), contextSize }
}

/** GLM's and OpenRouter's: their other members are settings of their own search engines. */
const isSearch = (type: string): boolean => isWebSearch(type.replace(/^openrouter:/, ''))

function readTool(tool: JsonObject, path: string, unread: Unread): Tool {
  const type = asName(tool['type']) ?? 'function'
  if (type === 'function') {
    noteUnread(tool, knownTool, 'tools[].', unread)
    return readFunction(objectAt(tool['function'], `${path}.function`), `${path}.function`, unread)
  }
  if (type !== 'custom')
    return { type: 'native', of: 'chat', kind: type, raw: tool, search: isSearch(type) ? plainSearch : null }
  noteUnread(tool, knownTool, 'tools[].', unread)
  const custom = objectAt(tool['custom'], `${path}.custom`)
  noteUnread(custom, knownCustom, 'tools[].custom.', unread)
  return {
    type: 'custom',
    name: nameAt(custom, `${path}.custom`),
    description: asName(custom['description']),
    format: readFormat(custom['format'], unread),
  }
}

/**
 * Chat wraps a grammar once more than Responses: `{type, grammar: {definition, syntax}}`; canonical is the flat form.
 */
function readFormat(value: unknown, unread: Unread): JsonObject | null {
  const format = asObject(value)
  const grammar = asObject(format?.['grammar'])
  if (format && grammar) noteUnread(format, knownFormat, 'tools[].custom.format.', unread)
  return format && grammar ? { type: 'grammar', ...grammar } : format
}

function readFunction(fn: JsonObject, path: string, unread: Unread): Tool {
  noteUnread(fn, knownFunction, 'tools[].function.', unread)
  return {
    type: 'function',
    name: nameAt(fn, path),
    description: asName(fn['description']),
    parameters: asObject(fn['parameters']),
    strict: typeof fn['strict'] === 'boolean' ? fn['strict'] : null,
  }
}

function nameAt(object: JsonObject, path: string): string {
  const name = asName(object['name'])
  if (name === null) throw badRequest(`${path}.name`, 'is missing')
  return name
}

export function readToolChoice(body: JsonObject, unread: Unread): ToolChoice | null {
  const choice = body['tool_choice'] ?? body['function_call']
  if (choice === undefined || choice === null) return null
  const read = typeof choice === 'string' ? modes[choice] : readNamed(asObject(choice) ?? {}, unread)
  if (!read) unread.add('tool_choice')
  return read ?? null
}

// `any` is what Mistral says for `required`.
const modes: Partial<Record<string, ToolChoice>> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  required: { type: 'any' },
  any: { type: 'any' },
}

function readNamed(choice: JsonObject, unread: Unread): ToolChoice | null {
  noteChoice(choice, 'tool_choice.', unread)
  if (choice['type'] === 'allowed_tools') {
    const allowed = asObject(choice['allowed_tools']) ?? choice
    if (allowed !== choice) noteUnread(allowed, knownChoice, 'tool_choice.allowed_tools.', unread)
    for (const entry of asList(allowed['tools'])) noteChoice(asObject(entry) ?? {}, 'tool_choice.tools[].', unread)
    const names = asList(allowed['tools'])
      .map(namedIn)
      .filter((name) => name !== null)
    return { type: 'allowed', mode: allowed['mode'] === 'required' ? 'any' : 'auto', names }
  }
  const name = namedIn(choice)
  return name === null ? null : { type: 'tool', name }
}

function noteChoice(choice: JsonObject, path: string, unread: Unread): void {
  noteUnread(choice, knownChoice, path, unread)
  noteUnreadOf(choice['function'], knownNamed, `${path}function.`, unread)
  noteUnreadOf(choice['custom'], knownNamed, `${path}custom.`, unread)
}

function namedIn(value: unknown): string | null {
  const entry = asObject(value)
  return asName(asObject(entry?.['function'] ?? entry?.['custom'])?.['name']) ?? asName(entry?.['name'])
}
