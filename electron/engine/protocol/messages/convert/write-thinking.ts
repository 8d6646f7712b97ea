import type { Effort, Reasoning } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import type { ModelTraits } from './models.ts'
import type { Dropped } from './write-parts.ts'

interface WrittenThinking {
  thinking: JsonObject | null
  effort: string | null
}

const minBudget = 1024
/** tokens to think where a model knows no effort */
const budgetOf: Record<Exclude<Effort, 'none'>, number> = {
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 20_000,
  xhigh: 32_000,
  max: 48_000,
}
const effortOf = (budget: number): Effort =>
  budget <= 4096 ? 'low' : budget <= 10_000 ? 'medium' : budget <= 32_000 ? 'high' : 'xhigh'

/**
 * One rule: a budget is sent as `enabled` with it, an effort as `adaptive` with `output_config.effort`. Models that
 * know only one of the two get the other as that (`models.ts`); other vendors' models get a budget and the effort
 * beside it. `off`: thinking is impossible in this request (a forced tool, an assistant's calls without their
 * thinking).
 */
export function writeThinking(
  reasoning: Reasoning | null,
  traits: ModelTraits,
  maxTokens: number,
  off: 'budget' | 'all' | null,
  dropped: Dropped,
): WrittenThinking {
  if (!reasoning) return { thinking: null, effort: null }
  const { budget } = reasoning
  if ((reasoning.effort === 'none' && budget === null) || budget === 0) {
    if (traits.thinking === 'none') return { thinking: null, effort: null }
    return {
      thinking: { type: 'disabled' },
      effort: reasoning.effort === 'none' ? null : effortMember(reasoning.effort, traits, dropped),
    }
  }
  const asked = reasoning.effort === 'none' ? null : reasoning.effort
  const display = displayOf(reasoning.summary, dropped)
  const byBudget =
    traits.thinking === 'budget' || traits.thinking === 'both' || (traits.thinking === 'either' && budget !== null)
  const effort = effortMember(
    asked ?? (traits.thinking === 'adaptive' && budget !== null ? effortOf(budget) : null),
    traits,
    dropped,
  )
  if (traits.thinking === 'none' || off === 'all') return without(effort, dropped)
  if (!byBudget) return { thinking: { type: 'adaptive', ...display }, effort }
  const tokens = off === 'budget' ? 0 : fitting(budget ?? budgetOf[asked ?? 'medium'], maxTokens)
  if (tokens >= minBudget) {
    if (budget !== null && tokens !== budget) dropped.add('budget_tokens')
    return { thinking: { type: 'enabled', budget_tokens: tokens, ...display }, effort }
  }
  if (traits.thinking !== 'either') return without(effort, dropped)
  dropped.add('budget_tokens')
  return { thinking: { type: 'adaptive', ...display }, effort }
}

function without(effort: string | null, dropped: Dropped): WrittenThinking {
  dropped.add('reasoning')
  return { thinking: null, effort }
}

/** Below `max_tokens`, which count the thinking too; with room for an answer when it has to be cut. */
function fitting(budget: number, maxTokens: number): number {
  const wanted = Math.max(minBudget, Math.floor(budget))
  if (wanted < maxTokens) return wanted
  return Math.min(maxTokens - 1, Math.max(minBudget, Math.floor(maxTokens * 0.8)))
}

function effortMember(effort: Effort | null, traits: ModelTraits, dropped: Dropped): string | null {
  if (effort === null || effort === 'none') return null
  const { thinking } = traits
  if (thinking === 'none') dropped.add('effort')
  // Models that think by budget got the effort as a budget.
  if (thinking === 'none' || thinking === 'budget') return null
  const taken = traits.effort(effort)
  if (taken !== effort) dropped.add('effort')
  return taken === 'minimal' ? 'low' : taken
}

function displayOf(summary: Reasoning['summary'], dropped: Dropped): JsonObject {
  if (summary === null) return {}
  if (summary === 'concise' || summary === 'detailed') dropped.add('reasoning.summary')
  return { display: summary === 'none' ? 'omitted' : 'summarized' }
}
