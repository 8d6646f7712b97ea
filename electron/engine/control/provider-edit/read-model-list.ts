/** Reads what providers answer when asked for their models: OpenAI's, Anthropic's and Gemini's form and their kin. */
import type { ListedModel, ModelPrice } from '../../../../shared/control/provider-edit.ts'

export interface ModelListPage {
  models: readonly ListedModel[]
  /** the cursor that asks for the next page; null: this is the last */
  next: string | null
}

type ListedFields = Readonly<Record<string, unknown>>

/** null: this is no list of models. */
export function readModelList(body: Buffer): ModelListPage | null {
  const value = parsed(body)
  const top = isRecord(value) ? value : {}
  // Ollama without any model says `"data": null`.
  const list = Array.isArray(value) ? value : (top['data'] ?? top['models'] ?? (top['object'] === 'list' ? [] : null))
  if (!Array.isArray(list)) return null
  const models = list.flatMap((entry: unknown): ListedModel[] => {
    const fields: ListedFields = isRecord(entry) ? entry : { id: entry }
    const id = text(fields['id']) ?? text(fields['name'])
    return id === null || !answers(fields) ? [] : [modelOf(id.replace(/^models\//, ''), fields)]
  })
  return { models: [...new Map(models.map((model) => [model.id, model])).values()], next: nextOf(top) }
}

function nextOf(top: ListedFields): string | null {
  const token = text(top['nextPageToken'])
  return token ?? (top['has_more'] === true ? text(top['last_id']) : null)
}

/** Models that only embed or moderate can't serve a turn; most lists don't say which those are. */
function answers(fields: ListedFields): boolean {
  const methods = fields['supportedGenerationMethods']
  if (Array.isArray(methods)) return methods.includes('generateContent')
  return fields['type'] !== 'embeddings' && fields['type'] !== 'embedding'
}

function modelOf(id: string, fields: ListedFields): ListedModel {
  const name = text(fields['display_name']) ?? text(fields['displayName']) ?? text(fields['name'])
  return {
    id,
    name: name === id || name === `models/${id}` ? null : name,
    contextWindow: first(windows, (member) => count(fields[member])),
    vision: visionOf(fields),
    thinking: thinkingOf(fields),
    price: priceOf(fields['pricing']),
  }
}

/** The names that OpenRouter and Together, Groq, Mistral and LM Studio, vLLM, Anthropic and Gemini give it. */
const windows = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'max_input_tokens',
  'inputTokenLimit',
]

function visionOf(fields: ListedFields): boolean | null {
  const inputs = record(fields['architecture'])['input_modalities'] ?? fields['input_modalities']
  if (Array.isArray(inputs)) return inputs.includes('image')
  if (fields['type'] === 'vlm') return true
  const can = record(fields['capabilities'])
  return flag(fields['supports_image_in']) ?? flag(can['vision']) ?? flag(record(can['image_input'])['supported'])
}

function thinkingOf(fields: ListedFields): boolean | null {
  const takes = fields['supported_parameters']
  if (Array.isArray(takes)) return takes.includes('reasoning')
  const can = record(fields['capabilities'])
  return flag(fields['thinking']) ?? flag(fields['supports_reasoning']) ?? flag(record(can['thinking'])['supported'])
}

/** OpenRouter: dollars per token, as texts; a price below 0 means that it depends on the request. */
function priceOf(value: unknown): ModelPrice | null {
  const fields = record(value)
  const [input, output] = [perMillion(fields['prompt']), perMillion(fields['completion'])]
  const cachedInput = perMillion(fields['input_cache_read'])
  return input === null || output === null ? null : { input, ...(cachedInput === null ? {} : { cachedInput }), output }
}

function perMillion(value: unknown): number | null {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(dollars) && dollars >= 0 ? Number((dollars * 1_000_000).toFixed(6)) : null
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isRecord = (value: unknown): value is ListedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const record = (value: unknown): ListedFields => (isRecord(value) ? value : {})
const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null

function first<T>(names: readonly string[], look: (name: string) => T | null): T | null {
  for (const name of names) {
    const found = look(name)
    if (found !== null) return found
  }
  return null
}
