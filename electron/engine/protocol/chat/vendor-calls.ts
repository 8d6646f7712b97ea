import { asName, asObject, type JsonObject } from '../values.ts'

/**
 * An entry of `tool_calls` that the vendor has run itself: it asks nothing of the client. Chat's own types are
 * `function` and `custom` (`ChatCompletionMessageToolCall` of the `openai` package), Moonshot's `builtin_function` goes
 * back to it through the client (platform.moonshot.ai/docs/guide/use-web-search). xAI lists its searches as
 * `web_search_call`, `x_search_call` … (docs.x.ai/developers/tools/overview), Zhipu its own with a member named like
 * the type (`mcp`, `web_browser`, `code_interpreter`; docs.bigmodel.cn). null: the client's.
 */
export function vendorRan(call: JsonObject): { type: string; label: string } | null {
  const type = asName(call['type'])
  if (type === null || type === 'function' || type === 'custom' || type === 'builtin_function') return null
  const isCall = asObject(call['function']) !== null || asObject(call['custom']) !== null
  if (isCall && !type.endsWith('_call')) return null
  return { type, label: labelOf(type) }
}

function labelOf(type: string): string {
  if (/search|brows|retriev/.test(type)) return /file|collection|retriev/.test(type) ? 'file search' : 'web search'
  if (/code|program|python/.test(type)) return 'code run'
  return 'tool run'
}
