import type { LimitSubject } from '../../../../shared/routing.ts'
import { asList, asObject, asText } from '../../protocol/values.ts'
import type { PlainHeaders } from './parts.ts'
import { detailsOf, type Refusal } from './refusal.ts'

/**
 * Words in the names of Claude's models, and the plan limits that are theirs alone: values of
 * `anthropic-ratelimit-unified-representative-claim` as Claude Code 2.1.332 knows them.
 */
const claude: Readonly<Record<string, readonly string[]>> = {
  opus: ['seven_day_opus'],
  sonnet: ['seven_day_sonnet'],
  haiku: [],
  fable: ['seven_day_overage_included'],
}

/** Windows of a subscription that only models of one family use up. */
const windowsOf: ReadonlyMap<string, string> = new Map([
  ['7d_opus', 'opus'],
  ['7d_sonnet', 'sonnet'],
  ['7d_oi', 'fable'],
])
/** The part of a key that a window is about; null: all of the key. */
export function subjectOfWindow(window: string): LimitSubject | null {
  const name = windowsOf.get(window)
  return name === undefined ? null : { kind: 'family', name }
}

/**
 * Returns a model's name without the date of its snapshot: OpenAI's and Anthropic's snapshots share the limits of their
 * model.
 */
const withoutDate = (model: string): string => model.replace(/[-@](?:\d{4}-\d\d-\d\d|20\d{6})$/, '')

/** The parts of a key that this model belongs to, itself first. */
export function subjectsOf(model: string): readonly LimitSubject[] {
  return [
    { kind: 'model', name: withoutDate(model) },
    ...Object.keys(claude).flatMap((name) => (hasWord(model, name) ? [{ kind: 'family' as const, name }] : [])),
    ...(isFree(model) ? [{ kind: 'tier' as const, name: 'free' }] : []),
  ]
}

const hasWord = (model: string, word: string): boolean =>
  model
    .toLowerCase()
    .split(/[^a-z]+/)
    .includes(word)
/** True for OpenRouter's models that cost nothing. */
const isFree = (model: string): boolean => model.endsWith(':free')

/** The part of the key a limit is about, where the vendor says that it is not about all of it; null: the key. */
export function subjectOf(refusal: Refusal, headers: PlainHeaders, model: string): LimitSubject | null {
  const [itself = null, ...wider] = subjectsOf(model)
  if (refusal.names.some((name) => ofOneModel.test(name))) return itself
  const claim = headers.get('anthropic-ratelimit-unified-representative-claim')
  if (claim !== undefined) return ofClaim(claim, headers, wider) ? familyOf(claim, wider, itself) : null
  // https://openrouter.ai/docs/api/reference/limits: requests to all free models count together
  if (/\bfree-models-per-(?:day|min)/i.test(refusal.message)) return wider.find(({ kind }) => kind === 'tier') ?? null
  const quotas = quotaIdsOf(refusal)
  if (quotas.length > 0) return quotas.every((id) => /PerModel|PerBaseModel/i.test(id)) ? itself : null
  if (/ByModel/.test(headers.get('x-ratelimit-type') ?? '') || saysThisModel.test(refusal.message)) return itself
  if (isOfCodexModel(headers) || isNamed(refusal, withoutDate(model)) || isOfModelsQuota(refusal, model)) return itself
  return null
}

/**
 * Codes for the limit of a model: GitHub Copilot; Volcengine Ark and SenseNova; DashScope, whose limits are all of one
 * model (https://help.aliyun.com/zh/model-studio/rate-limit).
 */
const ofOneModel = new RegExp(
  `^(?:${[
    'user_model_rate_limited',
    'ModelAccount\\w*RateLimitExceeded',
    'RateLimitExceeded\\.(?:FoundationModel|Endpoint)',
    'Throttling\\.',
    'limit_requests$',
    'AllocationQuota\\.FreeTierOnly',
  ].join('|')})`,
  'i',
)

/**
 * The same in words. Azure's limits are of one deployment; GitHub Models says `UserByModelByDay`, Gemini Code Assist
 * `your capacity on this model`.
 */
const saysThisModel = new RegExp(
  [
    '\\b(?:for|on|of) this model\\b',
    "\\bthis model['’]s (?:rate|usage|token|request|daily)",
    '\\bUserByModelBy',
    'under Azure OpenAI API version .{1,60} have exceeded',
    '\\b(?:token|call) rate limit of your current .{1,60} pricing tier',
    '\\ballocated quota exceeded\\b',
    '\\bfree tier of the model\\b',
  ].join('|'),
  'i',
)

/** Gemini Code Assist names the model in an `ErrorInfo`. */
const isOfModelsQuota = (refusal: Refusal, model: string): boolean =>
  detailsOf(refusal).some(
    (detail) => asText(asObject(detail['metadata'])?.['model']) === model.replace(/^models\//, ''),
  )

/** True for a claim of single models, or an unknown one while the windows of all models say that they are open. */
function ofClaim(claim: string, headers: PlainHeaders, wider: readonly LimitSubject[]): boolean {
  if (claim === 'five_hour' || claim === 'seven_day' || claim === 'overage') return false
  if (wider.some(({ name }) => isClaimOf(claim, name))) return true
  return ['5h', '7d'].every((window) =>
    headers.get(`anthropic-ratelimit-unified-${window}-status`)?.startsWith('allowed'),
  )
}
const isClaimOf = (claim: string, family: string): boolean => claude[family]?.includes(claim) ?? false
const familyOf = (claim: string, wider: readonly LimitSubject[], itself: LimitSubject | null): LimitSubject | null =>
  wider.find(({ name }) => isClaimOf(claim, name)) ?? itself

/** Reads quota ids from `QuotaFailure` of Google's errors: `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. */
const quotaIdsOf = (refusal: Refusal): readonly string[] =>
  detailsOf(refusal).flatMap((detail) =>
    asList(detail['violations'])
      .slice(0, 20)
      .flatMap((violation) => asText(asObject(violation)?.['quotaId']) ?? []),
  )

/**
 * `x-codex-active-limit` names the limit that was met, and headers with that name describe a model's own one
 * (`codex_bengalfox`, `x-codex-bengalfox-limit-name`); `x-codex-primary-…` repeats the active one.
 */
function isOfCodexModel(headers: PlainHeaders): boolean {
  const name = /^codex[_-]([a-z0-9_-]{1,40})$/i.exec(headers.get('x-codex-active-limit') ?? '')?.[1]
  if (name === undefined) return false
  const prefix = `x-codex-${name.toLowerCase().replaceAll('_', '-')}-`
  return [...headers.keys()].some((header) => header.startsWith(prefix))
}

/**
 * True if the message names the model: OpenAI `Rate limit reached for gpt-5 in organization …`, Groq `for model …`,
 * Anthropic `(org: …, model: claude-…)`, Vertex AI `with base model: …`, OpenRouter `metadata.raw` of a model's own
 * host.
 */
function isNamed({ message, error }: Refusal, model: string): boolean {
  const said = `${message}\n${asText(asObject(error['metadata'])?.['raw'])?.slice(0, 2_000) ?? ''}`
  const name = model.replace(/^models\//, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const date = String.raw`(?:[-@](?:\d{4}-\d\d-\d\d|20\d{6}))?`
  const before = /[-/\d]/.test(model) && model.length > 3 ? '(?:^|[^\\w.-])' : '\\b(?:for|model)[:\\s]*[`"\'“]?'
  return new RegExp(`${before}${name}${date}(?![\\w-]|[.:]\\w)`, 'i').test(said)
}
