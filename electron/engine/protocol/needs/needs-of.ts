import { OnwardError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { Bound, RequestLens, RequestNeeds } from '../types.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** The needs of a request, each computed on the first call. */
export function needsOf(
  lens: RequestLens,
  checks: Readonly<Record<'image' | 'webSearch' | 'thinking', () => boolean>> & { bound?: () => Bound | null },
): RequestNeeds {
  const { bound } = checks
  return {
    tokens: once(() => estimateTokens(lens.body)),
    image: once(() => unlessBroken(checks.image, false)),
    webSearch: once(() => unlessBroken(checks.webSearch, false)),
    thinking: once(() => unlessBroken(checks.thinking, false)),
    ...(bound ? { bound: once(() => unlessBroken(bound, null)) } : {}),
  }
}

/** The lens does not check the escapes of long strings, so one may turn out bad here. The upstream has to refuse it. */
export function unlessBroken<T>(check: () => T, otherwise: T): T {
  try {
    return check()
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return otherwise
    throw error
  }
}
