import { elements, isObject, isString, member, members, stringOf, type Span } from '../json-bytes/index.ts'
import { rootOf } from '../json-bytes/walk.ts'
import type { ItemView, LensDialect } from '../lens/lens.ts'
import type { RequestLens } from '../types.ts'

/**
 * generateContent: `contents` with a role and `parts` each, and `systemInstruction` beside them. Google reads its JSON
 * as protobuf does: members may have their snake_case names, and a list of one may lack its brackets (protobuf.dev,
 * ProtoJSON; examples of Vertex AI do the latter).
 */
export const geminiDialect: LensDialect = {
  protocol: 'gemini',
  list: 'contents',
  system: null,
  items: (body, top) => listed(body, contentsOf(body, top)),
  systems(body, top) {
    const request = requestOf(body, top)
    const at = either(body, request, 'systemInstruction', 'system_instruction')
    if (!at) return []
    return isString(body, at) ? [at] : partsOf(body, at).flatMap((part) => textOf(body, part) ?? [])
  },
  tools(body, top) {
    const at = either(body, requestOf(body, top), 'tools')
    if (!at) return null
    return listed(body, at).reduce((count, tool) => {
      const declared = either(body, tool, 'functionDeclarations', 'function_declarations')
      return count + (declared ? listed(body, declared).length : 1)
    }, 0)
  },
  view(body, item) {
    const role = roles[(stringOf(body, member(body, item, 'role')) ?? 'user').toLowerCase()] ?? 'other'
    if (role !== 'user') return { role, texts: [] }
    const parts = partsOf(body, item)
    const texts = parts.flatMap((part) => textOf(body, part) ?? [])
    return { role: texts.length === 0 && parts.some((part) => isResult(body, part)) ? 'tool' : 'user', texts }
  },
}

/** A content without a role is the user's. `function` is the role of results in older requests. */
const roles: Partial<Record<string, ItemView['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'tool',
  system: 'system',
}

/** The place of an object, or the members of the whole body. */
type Container = Span | ReadonlyMap<string, Span>

export function either(body: Buffer, container: Container, ...names: readonly string[]): Span | null {
  const found =
    'start' in container ? members(body, container, names) : names.map((name) => container.get(name) ?? null)
  return found.find((at) => at !== null && body[at.start] !== nullStart) ?? null
}
const nullStart = 0x6e

/** countTokens may hold a whole generateContent request instead of bare contents. */
const requestOf = (body: Buffer, top: ReadonlyMap<string, Span>): Container =>
  either(body, top, 'contents') ? top : (either(body, top, 'generateContentRequest', 'generate_content_request') ?? top)

const contentsOf = (body: Buffer, top: ReadonlyMap<string, Span>): Span | null =>
  either(body, requestOf(body, top), 'contents')

export function listed(body: Buffer, at: Span | null): readonly Span[] {
  if (!at) return []
  return isObject(body, at) ? [at] : elements(body, at)
}

export const partsOf = (body: Buffer, content: Span): readonly Span[] => listed(body, member(body, content, 'parts'))

/** Thoughts are the model's, whatever the role. */
function textOf(body: Buffer, part: Span): Span | null {
  const [text, thought] = members(body, part, ['text', 'thought'])
  return text && isString(body, text) && !(thought && body[thought.start] === trueStart) ? text : null
}
const trueStart = 0x74

const isResult = (body: Buffer, part: Span): boolean =>
  either(body, part, 'functionResponse', 'function_response') !== null

/** Returns the request itself: the body, or the request wrapped for countTokens. */
export function requestObject(lens: RequestLens): Span {
  if (lens.place('contents')) return rootOf(lens.body)
  const wrapped = lens.place('generateContentRequest') ?? lens.place('generate_content_request')
  return wrapped && isObject(lens.body, wrapped) ? wrapped : rootOf(lens.body)
}

/** Returns the place of a member of the request, under the first of these names that is there. */
export function placeOf(lens: RequestLens, ...names: readonly string[]): Span | null {
  // The members of the body are known; to search forty megabytes for each takes longer than others should wait.
  const isBody = lens.place('contents') !== null
  const request = isBody ? null : requestObject(lens)
  for (const name of names) {
    const at = request ? member(lens.body, request, name) : lens.place(name)
    if (at) return at
  }
  return null
}

export const contentsIn = (lens: RequestLens): readonly Span[] => listed(lens.body, placeOf(lens, 'contents'))
