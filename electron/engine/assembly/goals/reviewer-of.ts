import type { Config } from '../../../../shared/config/schema.ts'
import type { ReviewerTrouble } from '../../../../shared/doctor.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import { reviewerTrouble } from '../../../../shared/sentences/en/doctor.ts'
import { candidatesFor, nameOf } from '../../router/candidates.ts'
import { splitTarget } from '../../router/prepared.ts'
import type { RouteAsk } from '../../router/types.ts'

export type ReviewerFacts = NonNullable<EngineStatus['review']>

interface Known {
  facts: ReviewerFacts
  trouble: ReviewerTrouble | null
}
const known = new WeakMap<Config, Known>()

/**
 * Returns this config's reviewer, or why there is none, as far as the config shows. Asks no model. Every status has it,
 * so each config is examined once.
 */
export function reviewerOf(config: Config): ReviewerFacts {
  return knownOf(config).facts
}

/** Returns why there is no reviewer, as data; null if there is one. */
export const reviewerTroubleOf = (config: Config): ReviewerTrouble | null => knownOf(config).trouble

function knownOf(config: Config): Known {
  const there = known.get(config)
  if (there) return there
  const { backend, by, trouble } = factsOf(config)
  const problem = trouble === null ? null : reviewerTrouble(trouble)
  const found: Known = { facts: { backend, by, problem }, trouble }
  known.set(config, found)
  return found
}

function factsOf(config: Config): Pick<ReviewerFacts, 'backend' | 'by'> & { trouble: ReviewerTrouble | null } {
  const { backend, model, command } = config.stopMessage.review
  if (backend === 'command') {
    const [program] = command
    return {
      backend,
      by: program ?? '',
      trouble: program === undefined ? { code: 'no-program' } : null,
    }
  }
  const by = model ?? 'review'
  if (Object.keys(config.providers).length === 0) return { backend, by, trouble: { code: 'no-provider' } }
  if (model !== null && !Object.hasOwn(config.aliases, model) && splitTarget(model, config.providers) === null)
    return { backend, by, trouble: { code: 'unknown-model', model } }
  const {
    list: [first],
    skipped,
  } = candidatesFor(askOf(by), config)
  if (first) return { backend, by: first.category ?? nameOf(first), trouble: null }
  const [passed] = skipped
  // a review is a call of the engine's own: there is no client whose login could go along
  if (passed?.why.code === 'no-credential')
    return {
      backend,
      by,
      trouble: { code: 'client-login', target: passed.candidate },
    }
  return { backend, by, trouble: { code: 'no-route' } }
}

/** as pipeline/ask-review.ts asks it */
const askOf = (model: string): RouteAsk => ({
  requestId: 'reviewer',
  entry: 'chat',
  endpoint: 'generate',
  kind: 'probe',
  model,
  sessionId: null,
  overrides: { allow: null, prefer: null, force: null, disabled: [] },
  needs: { tokens: () => 0, image: () => false, webSearch: () => false, thinking: () => false },
  credential: () => null,
})
