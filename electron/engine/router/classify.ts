import { routeCategories, type Config, type RouteCategory } from '../../../shared/config/schema.ts'
import type { CategoryReason } from '../../../shared/routing.ts'
import type { Prepared } from './prepared.ts'
import type { RouteAsk } from './types.ts'

export interface Classified {
  category: RouteCategory
  because: CategoryReason
}

/**
 * The routes a request belongs to, most specific first, `default` last. What a model must be able to do (see, hold so
 * much, search) comes before what it should be good at, so that an agent which always asks for thinking still gets its
 * long conversations to the models for them. Only configured routes are checked: no body is read for a rule that is not
 * in use.
 */
export function classify(
  ask: RouteAsk,
  model: string | null,
  config: Config,
  { pools, listing }: Prepared,
): readonly Classified[] {
  const found: Classified[] = []
  const add = (category: RouteCategory, because: CategoryReason | null) => {
    if (because) found.push({ category, because })
  }
  const name =
    model !== null && !listing.has(model) ? routeCategories.find((category) => category === model) : undefined
  if (name !== undefined && pools.has(name)) add(name, { code: 'named' })
  // A reviewer without a route of its own judges with the model that does the work, not with the small one for odd
  // jobs.
  else if (name !== 'review') {
    if (pools.has('background')) add('background', background(ask, model))
    if (pools.has('vision') && ask.needs.image()) add('vision', { code: 'image' })
    if (pools.has('longContext')) add('longContext', long(ask.needs.tokens(), config.longContextThreshold))
    if (pools.has('webSearch') && ask.needs.webSearch()) add('webSearch', { code: 'web-search' })
    if (pools.has('thinking') && ask.needs.thinking()) add('thinking', { code: 'thinking' })
  }
  if (pools.has('default') && !found.some((c) => c.category === 'default')) add('default', { code: 'otherwise' })
  return found
}

/**
 * The client's small, fast model or an auxiliary request. Compaction and counting stay with their conversation's model:
 * they are about its cached prefix, its context window and its tokens.
 */
function background({ kind }: RouteAsk, model: string | null): CategoryReason | null {
  if (kind === 'title' || kind === 'probe') return { code: 'auxiliary', kind }
  return kind !== 'compaction' && kind !== 'count' && model !== null && isSmallModel(model)
    ? { code: 'small-model', model }
    : null
}

const long = (tokens: number, threshold: number): CategoryReason | null =>
  tokens > threshold ? { code: 'long', tokens, threshold } : null
/** Names of the small, fast models that agents use beside their main one, by vendor. New ones are one entry. */
const smallModels: readonly RegExp[] = [
  // Claude Code's background model
  /\bhaiku\b/,
  // opencode's small model, Codex
  /\bgpt-[\w.]+-(mini|nano)\b/,
  // Gemini CLI's router
  /\bgemini-[\w.]+-flash-lite\b/,
  /\b(glm-[\w.]+-(air|flash)|qwen[\w.-]*-(turbo|flash)|simulator-small)\b/,
]

export const isSmallModel = (model: string): boolean => smallModels.some((name) => name.test(model.toLowerCase()))
