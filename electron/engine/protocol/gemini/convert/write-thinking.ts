import type { Effort, Reasoning } from '../../canonical/request.ts'
import type { Draft } from './members.ts'
import { budgetRange, thinks, thinksInLevels } from './models.ts'

/**
 * Writes either a budget or a level: Google refuses both in one request. Thoughts are shown unless the client wants
 * them hidden, as the vendors of the other protocols do; Google's own default hides them.
 */
export function writeThinking(reasoning: Reasoning, model: string, dropped: Set<string>): Draft | null {
  const isOff = reasoning.budget === 0 || (reasoning.effort === 'none' && reasoning.budget === null)
  if (!thinks(model)) {
    if (!isOff) dropped.add('reasoning')
    return null
  }
  const asked = isOff ? off : reasoning
  const config: Draft = thinksInLevels(model)
    ? level(asked, model, dropped)
    : { thinkingBudget: budget(asked, model, dropped) }
  if (!isOff) config['includeThoughts'] = reasoning.summary !== 'none'
  return config
}

const off: Pick<Reasoning, 'effort' | 'budget'> = { effort: 'none', budget: null }
type Asked = typeof off

/**
 * The budgets that Google's own OpenAI endpoint uses for an effort (https://ai.google.dev/gemini-api/docs/openai,
 * Thinking).
 */
const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: Infinity,
}
const dynamic = -1

function budget({ effort, budget: tokens }: Asked, model: string, dropped: Set<string>): number {
  const { least, most, canBeOff } = budgetRange(model)
  if (tokens === null && effort === 'none') {
    if (canBeOff) return 0
    dropped.add('reasoning.effort')
    return least
  }
  const wanted = tokens ?? (effort === null || effort === 'none' ? null : budgets[effort])
  return wanted === null ? dynamic : Math.min(most, Math.max(least, wanted))
}

const levels: Readonly<Record<Effort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** Without an effort the level is left to the model. Pro has no MINIMAL, and the first of them has no MEDIUM. */
function level({ effort, budget: tokens }: Asked, model: string, dropped: Set<string>): Draft {
  const wanted =
    effort ?? (tokens === null ? null : tokens <= budgets.low ? 'low' : tokens <= budgets.medium ? 'medium' : 'high')
  if (wanted === null) return {}
  if (wanted === 'xhigh' || wanted === 'max') dropped.add('reasoning.effort')
  const name = levels[wanted]
  if (name === 'MINIMAL' && /-pro\b/.test(model)) return { thinkingLevel: 'LOW' }
  if (name === 'MEDIUM' && /gemini-3-pro/.test(model)) return { thinkingLevel: 'HIGH' }
  return { thinkingLevel: name }
}
