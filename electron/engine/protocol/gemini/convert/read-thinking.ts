import { efforts, type Effort, type Reasoning } from '../../canonical/request.ts'
import { asNumber, asText, type JsonObject } from '../../values.ts'
import { camelled, noteUnread } from './members.ts'

const members = new Set(['thinkingBudget', 'thinkingLevel', 'includeThoughts'])

/** A budget of 0 switches thinking off, -1 leaves it to the model (ThinkingConfig). */
export function readThinking(value: JsonObject | null, unread: Set<string>): Reasoning | null {
  if (!value) return null
  const config = camelled(value)
  noteUnread(config, members, 'generationConfig.thinkingConfig.', unread)
  const tokens = asNumber(config['thinkingBudget'])
  const shown = config['includeThoughts']
  return {
    effort: tokens === 0 ? 'none' : effortOf(config['thinkingLevel']),
    budget: tokens !== null && tokens > 0 ? tokens : null,
    summary: shown === true ? 'auto' : shown === false ? 'none' : null,
  }
}

function effortOf(level: unknown): Effort | null {
  const name = asText(level)?.toLowerCase()
  return efforts.find((effort) => effort === name) ?? null
}
