import type { CanonicalRequest, Tool, ToolChoice, WebSearch } from '../../canonical/request.ts'
import { namesIn, plainSearch } from '../../canonical/web-search.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { fromSchema } from './from-schema.ts'
import { camelled, noteUnread } from './members.ts'

const declarationMembers = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])
const configMembers = new Set(['functionCallingConfig'])
const callingMembers = new Set(['mode', 'allowedFunctionNames'])

export function readTools(
  value: unknown,
  config: unknown,
  unread: Set<string>,
): Pick<CanonicalRequest, 'tools' | 'toolChoice'> {
  const { choice, validated } = readCalling(camelled(asObject(config) ?? {}), unread)
  const tools: Tool[] = []
  for (const entry of Array.isArray(value) ? value : [value]) {
    const tool = camelled(asObject(entry) ?? {})
    for (const kind in tool) {
      const content = tool[kind]
      if (content === null || content === undefined) continue
      if (kind !== 'functionDeclarations')
        tools.push({
          type: 'native',
          of: 'gemini',
          kind,
          raw: { [kind]: content },
          search: readSearch(kind, camelled(asObject(content) ?? {}), unread),
        })
      else
        for (const declaration of asList(content))
          tools.push(readFunction(camelled(asObject(declaration) ?? {}), validated, unread))
    }
  }
  return { tools, toolChoice: choice }
}

/** GoogleSearch and EnterpriseWebSearch of @google/genai. */
const searchKinds = new Set(['googleSearch', 'googleSearchRetrieval', 'enterpriseWebSearch'])
const searchMembers = new Set(['excludeDomains'])

function readSearch(kind: string, content: JsonObject, unread: Set<string>): WebSearch | null {
  if (!searchKinds.has(kind)) return null
  noteUnread(content, searchMembers, `tools[].${kind}.`, unread)
  return { ...plainSearch, blocked: namesIn(content['excludeDomains']) }
}

function readFunction(declaration: JsonObject, validated: boolean, unread: Set<string>): Tool {
  noteUnread(declaration, declarationMembers, 'tools[].functionDeclarations[].', unread)
  const schema = asObject(declaration['parameters'])
  return {
    type: 'function',
    name: asText(declaration['name']) ?? '',
    description: asText(declaration['description']),
    parameters: asObject(declaration['parametersJsonSchema']) ?? (schema && fromSchema(schema)),
    ...(validated ? { strict: true, strictIfPossible: true } : { strict: null }),
  }
}

/** VALIDATED lets the model choose, and makes calls follow their schemas: other protocols call that strict. */
function readCalling(config: JsonObject, unread: Set<string>): { choice: ToolChoice | null; validated: boolean } {
  noteUnread(config, configMembers, 'toolConfig.', unread)
  const calling = camelled(asObject(config['functionCallingConfig']) ?? {})
  noteUnread(calling, callingMembers, 'toolConfig.functionCallingConfig.', unread)
  const mode = asText(calling['mode'])?.toUpperCase()
  const names = asList(calling['allowedFunctionNames']).flatMap((name) => asName(name) ?? [])
  return { choice: choiceOf(mode, names), validated: mode === 'VALIDATED' }
}

function choiceOf(mode: string | undefined, names: readonly string[]): ToolChoice | null {
  if (mode === 'NONE') return { type: 'none' }
  if (mode === 'ANY' && names[0] !== undefined && names.length === 1) return { type: 'tool', name: names[0] }
  if (mode !== 'ANY' && mode !== 'AUTO' && mode !== 'VALIDATED') return null
  const choice = mode === 'ANY' ? 'any' : 'auto'
  return names.length > 0 ? { type: 'allowed', mode: choice, names } : { type: choice }
}
