import type { Refusal } from './refusal.ts'

/** Names of errors that say the money or the quota is gone, which no waiting brings back. */
const gone = new Set([
  // OpenAI, error codes; `insufficient_quota` is the type of most and the code of old ones
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  // ChatGPT plans without Codex (codex-rs)
  'usage_not_included',
  // Anthropic, errors
  'billing_error',
  'enforced_spend_limit_reached',
  // Moonshot, errors
  'exceeded_current_quota_error',
  // Z.ai, error codes: balance
  '1113',
])

export const isQuotaGone = ({ names }: Refusal): boolean => names.some((name) => gone.has(name))
