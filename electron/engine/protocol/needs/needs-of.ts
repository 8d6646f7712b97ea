import { OnwardError } from '../../base/errors.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** The needs of a request, each looked at when a rule asks for it. */
export function needsOf(
  lens: RequestLens,
  looks: Readonly<Record<'image' | 'webSearch' | 'thinking', () => boolean>>,
): RequestNeeds {
  return {
    tokens: once(() => estimateTokens(lens.body)),
    image: once(() => unlessBroken(looks.image, false)),
    webSearch: once(() => unlessBroken(looks.webSearch, false)),
    thinking: once(() => unlessBroken(looks.thinking, false)),
  }
}

function once<T>(look: () => T): () => T {
  let found: { value: T } | null = null
  return () => (found ??= { value: look() }).value
}

/**
 * The lens leaves the escapes of long strings unread, so one may turn out bad here. That is the upstream's to refuse.
 */
export function unlessBroken<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return otherwise
    throw error
  }
}
