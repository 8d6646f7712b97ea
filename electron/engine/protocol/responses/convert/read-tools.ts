import type { Tool, ToolChoice } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { noteUnread, noteUnreadOf, type Unread } from '../../chat/convert/members.ts'
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
export function readTools(list: unknown, path: string, unread: Unread): Tool[] {
  const tools: Tool[] = []
  for (const entry of asList(list)) addTool(tools, asObject(entry), null, `${path}[].`, unread)
  return tools
}

function addTool(tools: Tool[], raw: JsonObject | null, group: Group | null, path: string, unread: Unread): void {
  const type = asText(raw?.['type'])
  if (!raw || type === null) return void unread.add(`${path}type`)
  if (type === 'namespace') return addNamespace(tools, raw, path, unread)
  if (type === toolSearch && raw['execution'] === 'client') {
    noteUnread(raw, searchMembers, path, unread)
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
  if (name === null) return void unread.add(`${path}name`)
  const description = asText(said['description'])
  if (said !== raw) noteUnread(raw, functionMembers, path, unread)
  noteUnread(said, type === 'function' ? functionMembers : customMembers, path, unread)
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

function addNamespace(tools: Tool[], raw: JsonObject, path: string, unread: Unread): void {
  const namespace = asName(raw['name'])
  if (namespace === null) return void unread.add(`${path}name`)
  noteUnread(raw, namespaceMembers, path, unread)
  const description = asName(raw['description'])
  const group = description === null ? { namespace } : { namespace, namespaceDescription: description }
  for (const entry of asList(raw['tools'])) addTool(tools, asObject(entry), group, `${path}tools[].`, unread)
}

const plainChoices: Partial<Record<string, ToolChoice>> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  required: { type: 'any' },
}

export function readToolChoice(value: unknown, unread: Unread): ToolChoice | null {
  if (value === null || value === undefined) return null
  const plain = typeof value === 'string' ? plainChoices[value] : undefined
  const choice = plain ?? choiceOf(asObject(value), unread)
  if (!choice) unread.add('tool_choice')
  return choice
}

function choiceOf(value: JsonObject | null, unread: Unread): ToolChoice | null {
  const type = value?.['type']
  if (asText(type)?.startsWith('web_search')) return { type: 'search' }
  if (!value || (type !== 'function' && type !== 'custom' && type !== 'allowed_tools')) return null
  noteUnread(value, choiceMembers, 'tool_choice.', unread)
  noteUnreadOf(value['function'], choiceMembers, 'tool_choice.function.', unread)
  noteUnreadOf(value['custom'], choiceMembers, 'tool_choice.custom.', unread)
  if (type === 'allowed_tools') {
    const names: string[] = []
    for (const entry of asList(value['tools'])) {
      const name = asName(asObject(entry)?.['name'])
      noteUnreadOf(entry, choiceMembers, 'tool_choice.tools[].', unread)
      if (name === null) unread.add('tool_choice.tools[]')
      else names.push(name)
    }
    return { type: 'allowed', mode: value['mode'] === 'required' ? 'any' : 'auto', names }
  }
  const name = asName(value['name']) ?? asName(asObject(value[type])?.['name'])
  return name === null ? null : { type: 'tool', name }
}
