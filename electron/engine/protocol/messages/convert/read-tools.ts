import { OnwardError } from '../../../base/errors.ts'
import type { CanonicalRequest, Tool } from '../../canonical/request.ts'
import { asList, asName, asObject, asText } from '../../values.ts'
import { marked } from './read-parts.ts'
import { noteOthers, type Unread } from './unread.ts'
import { readSearch } from './web-search.ts'

const toolMembers = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])
const choiceMembers = new Set(['type', 'name', 'disable_parallel_tool_use'])

export const readTools = (value: unknown, unread: Unread): Tool[] =>
  asList(value).map((entry, i): Tool => {
    const tool = asObject(entry)
    const kind = asName(tool?.['type'])
    if (tool && kind !== null && kind !== 'custom') {
      return { type: 'native', of: 'messages', kind, raw: tool, search: readSearch(tool, kind, unread) }
    }
    const name = asName(tool?.['name'])
    if (!tool || name === null)
      throw new OnwardError('bad-request', `tools[${i}].name: a tool needs a name.`, { status: 400 })
    noteOthers(tool, toolMembers, 'tools[]', unread)
    const strict = tool['strict']
    return {
      type: 'function',
      name,
      description: asText(tool['description']),
      parameters: asObject(tool['input_schema']),
      strict: typeof strict === 'boolean' ? strict : null,
      ...(strict === true ? { strictIfPossible: true } : {}),
      ...marked(tool),
    }
  })

export function readToolChoice(
  value: unknown,
  tools: readonly Tool[],
  unread: Unread,
): Pick<CanonicalRequest, 'toolChoice' | 'parallelTools'> {
  const choice = asObject(value)
  if (!choice) return { toolChoice: null, parallelTools: null }
  noteOthers(choice, choiceMembers, 'tool_choice', unread)
  const disabled = choice['disable_parallel_tool_use']
  const parallelTools = typeof disabled === 'boolean' ? !disabled : null
  const type = choice['type'],
    name = asName(choice['name'])
  if (type === 'auto' || type === 'any' || type === 'none') return { toolChoice: { type }, parallelTools }
  if (type === 'tool' && tools.some((tool) => tool.type === 'native' && tool.search && tool.raw['name'] === name))
    return { toolChoice: { type: 'search' }, parallelTools }
  if (type === 'tool' && name !== null) return { toolChoice: { type, name }, parallelTools }
  throw new OnwardError('bad-request', 'tool_choice.type: must be auto, any, none, or tool with a name.', {
    status: 400,
  })
}
