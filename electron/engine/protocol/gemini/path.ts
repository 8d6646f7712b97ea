/** The Gemini API names model and method in the path: `/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse`. */
import { percentDecoded } from '../../base/parse.ts'

/** The methods of the API that Onward serves. */
const methods = ['generateContent', 'streamGenerateContent', 'countTokens'] as const
type GeminiMethod = (typeof methods)[number]

interface GeminiPath {
  /** `v1beta`, `v1` or `v1alpha`, as the client asked */
  version: string
  /** decoded, without `models/`; a tuned model keeps its `tunedModels/` */
  model: string
  method: GeminiMethod
  /** with its `?`, or empty */
  query: string
}

// The version is there twice if a person gave a base URL with one: Google's SDK adds `/v1beta` by itself.
const form = new RegExp(
  `^(?:/v1(?:alpha|beta)?)?(?:/(v1|v1alpha|v1beta))?/(models|tunedModels)/(.+):(${methods.join('|')})(\\?.*)?$`,
  's',
)

/**
 * `provider/model` without a collection: the AI SDK adds `models/` only to names without a slash (`getModelPath` of
 * @ai-sdk/google).
 */
const plainForm = new RegExp(
  `^(?:/v1(?:alpha|beta)?)?/(v1|v1alpha|v1beta)/([^/?]+/[^?]+):(${methods.join('|')})(\\?.*)?$`,
  's',
)

/** Returns null for a path that is none of these, or whose model is no valid percent-encoding. */
export function readGeminiPath(path: string): GeminiPath | null {
  const [, named, collection = '', written = '', method, query = ''] = form.exec(path) ?? inModels(path)
  const known = methods.find((name) => name === method)
  const model = known === undefined ? null : percentDecoded(written)
  if (known === undefined || model === null) return null
  const version = named ?? /^\/(v1[a-z]*)\//.exec(path)?.[1] ?? 'v1beta'
  return { version, model: collection === 'models' ? model : `tunedModels/${model}`, method: known, query }
}

/** Returns the parts of a path without a collection, as if it were in `models`. */
function inModels(path: string): readonly (string | undefined)[] {
  const [whole, named, written, method, query] = plainForm.exec(path) ?? []
  return whole === undefined ? [] : [whole, named, 'models', written, method, query]
}

export function writeGeminiPath({ version, model, method, query }: GeminiPath): string {
  const name = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`
  return `/${version}/${encoded(name)}:${method}${query}`
}

/** Returns the same path for another model, unchanged if it names that model already. */
export function geminiPathFor(path: string, model: string): string {
  const asked = readGeminiPath(path)
  return !asked || asked.model === model ? path : writeGeminiPath({ ...asked, model })
}

/** Returns how the answer comes: `streamGenerateContent` gives a JSON array that grows, and events with `alt=sse`. */
export function geminiStreamForm({ method, query }: GeminiPath): 'sse' | 'json-array' | null {
  if (method !== 'streamGenerateContent') return null
  return new URLSearchParams(query).getAll('alt').includes('sse') ? 'sse' : 'json-array'
}

/** Characters allowed in a path stay readable: names of other vendors' models have slashes and colons. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%40', '@').replaceAll('%2C', ',')
