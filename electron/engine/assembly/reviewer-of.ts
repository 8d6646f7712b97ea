import type { Config } from '../../../shared/config/schema.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import { targetText } from '../../../shared/target-text.ts'
import { candidatesFor, nameOf } from '../router/candidates.ts'
import { splitTarget } from '../router/target.ts'
import type { RouteAsk } from '../router/types.ts'

export type ReviewerFacts = NonNullable<EngineStatus['review']>

const known = new WeakMap<Config, ReviewerFacts>()

/**
 * Who reviews by this config, and why nobody can, as far as the config tells. Asks nobody. Every status has it: a
 * config is looked at once.
 */
export function reviewerOf(config: Config): ReviewerFacts {
  const facts = known.get(config) ?? factsOf(config)
  known.set(config, facts)
  return facts
}

function factsOf(config: Config): ReviewerFacts {
  const { backend, model, command } = config.stopMessage.review
  if (backend === 'command') {
    const [program] = command
    return {
      backend,
      by: program ?? '',
      problem: program === undefined ? 'stopMessage.review.command names no program.' : null,
    }
  }
  const by = model ?? 'review'
  if (Object.keys(config.providers).length === 0)
    return { backend, by, problem: 'No provider is configured, and the simulator can’t review.' }
  if (model !== null && !Object.hasOwn(config.aliases, model) && splitTarget(model, config.providers) === null)
    return { backend, by, problem: `stopMessage.review.model is “${model}”, and no such provider is configured.` }
  const {
    list: [first],
    skipped,
  } = candidatesFor(askOf(by), config)
  if (first) return { backend, by: first.category ?? nameOf(first), problem: null }
  const [passed] = skipped
  // a review is a call of the engine's own: there is no client whose login could go along
  if (passed?.why.code === 'no-credential')
    return {
      backend,
      by,
      problem: `${targetText(passed.candidate)} takes the client’s own login, which a reviewer has not.`,
    }
  return { backend, by, problem: 'There is neither a route “review” nor a route “default” that could review.' }
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
