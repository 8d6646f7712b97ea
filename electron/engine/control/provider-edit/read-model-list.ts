/** Reads what providers answer when asked for their models: OpenAI's, Anthropic's and Gemini's form and their kin. */
import type { ListedModel, ModelPrice } from '../../../../shared/control/provider-edit.ts'

export interface ModelListPage {
  models: readonly ListedModel[]
  /** what asks for the page behind this one; null: it was the last */
  next: string | null
}

type Told = Readonly<Record<string, unknown>>

/** null: this is no list of models. */
export function readModelList(body: Buffer): ModelListPage | null {
  const value = parsed(body)
  const top = isRecord(value) ? value : {}
  // Ollama without any model says `"data": null`.
  const list = Array.isArray(value) ? value : (top['data'] ?? top['models'] ?? (top['object'] === 'list' ? [] : null))
  if (!Array.isArray(list)) return null
  const models = list.flatMap((entry: unknown): ListedModel[] => {
    const told: Told = isRecord(entry) ? entry : { id: entry }
    const id = text(told['id']) ?? text(told['name'])
    return id === null || !answers(told) ? [] : [modelOf(id.replace(/^models\//, ''), told)]
  })
  return { models: [...new Map(models.map((model) => [model.id, model])).values()], next: nextOf(top) }
}

function nextOf(top: Told): string | null {
  const token = text(top['nextPageToken'])
  return token ?? (top['has_more'] === true ? text(top['last_id']) : null)
}

/** Models that only embed or moderate can't serve a turn; most lists don't tell. */
function answers(told: Told): boolean {
  const methods = told['supportedGenerationMethods']
  if (Array.isArray(methods)) return methods.includes('generateContent')
  return told['type'] !== 'embeddings' && told['type'] !== 'embedding'
}

function modelOf(id: string, told: Told): ListedModel {
  const name = text(told['display_name']) ?? text(told['displayName']) ?? text(told['name'])
  return {
    id,
    name: name === id || name === `models/${id}` ? null : name,
    contextWindow: first(windows, (member) => count(told[member])),
    vision: visionOf(told),
    thinking: thinkingOf(told),
    price: priceOf(told['pricing']),
  }
}

/** As OpenRouter and Together, Groq, Mistral and LM Studio, vLLM, Anthropic and Gemini call it. */
const windows = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'max_input_tokens',
  'inputTokenLimit',
]

function visionOf(told: Told): boolean | null {
  const inputs = record(told['architecture'])['input_modalities'] ?? told['input_modalities']
  if (Array.isArray(inputs)) return inputs.includes('image')
  if (told['type'] === 'vlm') return true
  const can = record(told['capabilities'])
  return flag(told['supports_image_in']) ?? flag(can['vision']) ?? flag(record(can['image_input'])['supported'])
}

function thinkingOf(told: Told): boolean | null {
  const takes = told['supported_parameters']
  if (Array.isArray(takes)) return takes.includes('reasoning')
  const can = record(told['capabilities'])
  return flag(told['thinking']) ?? flag(told['supports_reasoning']) ?? flag(record(can['thinking'])['supported'])
}

/** OpenRouter: dollars per token, as texts; a price below 0 means that it depends on the request. */
function priceOf(value: unknown): ModelPrice | null {
  const told = record(value)
  const [input, output] = [perMillion(told['prompt']), perMillion(told['completion'])]
  const cachedInput = perMillion(told['input_cache_read'])
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

const isRecord = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value)
const record = (value: unknown): Told => (isRecord(value) ? value : {})
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
