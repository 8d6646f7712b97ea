import type { Tool, ToolChoice } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { noteOthers, noteOthersOf, type Notes } from './unread.ts'
import { readSearch } from './web-search.ts'

const functionMembers = new Set(['type', 'name', 'description', 'parameters', 'strict', 'function'])
const customMembers = new Set(['type', 'name', 'description', 'format'])
/** Codex runs it itself (`execution: client`): for other protocols it is a function of this name. */
export const toolSearch = 'tool_search'
const searchMembers = new Set(['type', 'execution', 'description', 'parameters'])
const namespaceMembers = new Set(['type', 'name', 'description', 'tools'])

const choiceMembers = new Set(['type', 'name', 'function', 'custom', 'mode', 'tools'])

interface Group {
  namespace: string
  namespaceDescription?: string
}

/** Reads the tools of a request; those of a namespace become separate tools, each under its name. */
export function readTools(list: unknown, path: string, unread: Notes): Tool[] {
  const tools: Tool[] = []
  for (const entry of asList(list)) addTool(tools, asObject(entry), null, `${path}[].`, unread)
  return tools
}

function addTool(tools: Tool[], raw: JsonObject | null, group: Group | null, path: string, unread: Notes): void {
  const type = asText(raw?.['type'])
  if (!raw || type === null) return unread.note(`${path}type`)
  if (type === 'namespace') return addNamespace(tools, raw, path, unread)
  if (type === toolSearch && raw['execution'] === 'client') {
    noteOthers(raw, searchMembers, path, unread)
    const [description, parameters] = [asText(raw['description']), asObject(raw['parameters'])]
    tools.push({ type: 'function', name: toolSearch, description, parameters, strict: null, searches: true })
    return
  }
  if (type !== 'function' && type !== 'custom') {
    tools.push({ type: 'native', of: 'responses', kind: type, raw, search: readSearch(raw, type, unread) })
    return
  }
  // Chat puts a function's members one level deeper; some clients of this protocol do the same.
  const said = asObject(raw['function']) ?? raw
  const name = asName(said['name'])
  if (name === null) return unread.note(`${path}name`)
  const description = asText(said['description'])
  if (said !== raw) noteOthers(raw, functionMembers, path, unread)
  noteOthers(said, type === 'function' ? functionMembers : customMembers, path, unread)
  if (type === 'custom') tools.push({ type, name, ...group, description, format: asObject(raw['format']) })
  else
    tools.push({
      type,
      name,
      ...group,
      description,
      parameters: asObject(said['parameters']),
      strict: typeof said['strict'] === 'boolean' ? said['strict'] : null,
    })
}

function addNamespace(tools: Tool[], raw: JsonObject, path: string, unread: Notes): void {
  const namespace = asName(raw['name'])
  if (namespace === null) return unread.note(`${path}name`)
  noteOthers(raw, namespaceMembers, path, unread)
  const description = asName(raw['description'])
  const group = description === null ? { namespace } : { namespace, namespaceDescription: description }
  for (const entry of asList(raw['tools'])) addTool(tools, asObject(entry), group, `${path}tools[].`, unread)
}

const plainChoices: Partial<Record<string, ToolChoice>> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  required: { type: 'any' },
}

export function readToolChoice(value: unknown, unread: Notes): ToolChoice | null {
  if (value === null || value === undefined) return null
  const plain = typeof value === 'string' ? plainChoices[value] : undefined
  const choice = plain ?? choiceOf(asObject(value), unread)
  if (!choice) unread.note('tool_choice')
  return choice
}

function choiceOf(value: JsonObject | null, unread: Notes): ToolChoice | null {
  const type = value?.['type']
  if (asText(type)?.startsWith('web_search')) return { type: 'search' }
  if (!value || (type !== 'function' && type !== 'custom' && type !== 'allowed_tools')) return null
  noteOthers(value, choiceMembers, 'tool_choice.', unread)
  noteOthersOf(value['function'], choiceMembers, 'tool_choice.function.', unread)
  noteOthersOf(value['custom'], choiceMembers, 'tool_choice.custom.', unread)
  if (type === 'allowed_tools') {
    const names: string[] = []
    for (const entry of asList(value['tools'])) {
      const name = asName(asObject(entry)?.['name'])
      noteOthersOf(entry, choiceMembers, 'tool_choice.tools[].', unread)
      if (name === null) unread.note('tool_choice.tools[]')
      else names.push(name)
    }
    return { type: 'allowed', mode: value['mode'] === 'required' ? 'any' : 'auto', names }
  }
  const name = asName(value['name']) ?? asName(asObject(value[type])?.['name'])
  return name === null ? null : { type: 'tool', name }
}
