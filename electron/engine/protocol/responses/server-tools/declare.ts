import { declareBehind } from '../../append/moving-mark.ts'
import type { Edit } from '../../json-bytes/index.ts'
import { mentions } from '../../needs/parts.ts'
import { type ToolDeclaration, writtenOnce } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asName, asObject, asText, parseObject, type JsonObject } from '../../values.ts'
import { additionalTools } from '../additional-tools.ts'

/**
 * Returns the names of the client's tools: functions and custom ones, those within a namespace too, and the vendor's
 * own, which are named by their type.
 */
export function clientTools(lens: RequestLens): string[] {
  return [...asList(lens.value('tools')), ...laterTools(lens)].flatMap((tool) => namesOf(asObject(tool)))
}

function namesOf(tool: JsonObject | null): string[] {
  if (!tool) return []
  // Chat puts a function's members one level deeper; some clients of this protocol do the same.
  const name = asName(tool['name']) ?? asName(asObject(tool['function'])?.['name'])
  const type = asText(tool['type']) ?? ''
  // `web_search_preview_2025_03_11` is a web search as well.
  const ofType = type.startsWith('web_search') ? ['web_search', type] : [type]
  return [
    ...(name === null ? ofType : [name]),
    ...asList(tool['tools']).flatMap((inner) => namesOf(asObject(inner))),
  ].filter((found) => found !== '')
}

/** Returns the tools that a search for tools found in the course of the conversation. */
function laterTools({ body, items }: RequestLens): unknown[] {
  return items()
    .filter((item) => mentions(body, item, '"tool_search_output"') || mentions(body, item, '"additional_tools"'))
    .flatMap((at) => {
      const item = parseObject(body.subarray(at.start, at.end))
      return item?.['type'] === 'tool_search_output' || item?.['type'] === 'additional_tools'
        ? asList(item['tools'])
        : []
    })
}

export function cannotDeclare(lens: RequestLens): string | null {
  // Its answer is fetched later, from the provider.
  if (lens.value('background') === true) return 'a background response'
  const tools = lens.value('tools') ?? null
  if (tools !== null && !Array.isArray(tools)) return 'tools is no list'
  // Tools of the request would replace those the prompt was stored with.
  return tools === null && (lens.value('prompt') ?? null) !== null ? 'a stored prompt with tools of its own' : null
}

/** Adds the tools where the client declares its own. */
export const declareTools = (lens: RequestLens, tools: readonly ToolDeclaration[]): Edit[] =>
  declareBehind(lens, lens.place('tools') ?? additionalTools(lens.body, lens.items()), tools.map(declaration))

const declaration = writtenOnce(({ name, description, parameters, strict }) => ({
  type: 'function',
  name,
  description,
  parameters,
  strict,
}))
