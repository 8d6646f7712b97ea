import type { Usage } from '../../../shared/cost/usage.ts'
import type { KeepWarm, NotWarm } from '../../../shared/cost/keep-warm.ts'
import { splice } from '../protocol/json-bytes/index.ts'
import type { RequestLens } from '../protocol/types.ts'
import { asObject } from '../protocol/values.ts'
import { cacheKeptMs, costOf } from './cost.ts'
import type { RouteChoice } from './types.ts'

/** A prompt in a provider's cache. */
export interface WarmPrompt {
  /** when the request began that used it last: the vendor counts from there */
  usedAt: number
  keptMs: number
  /** tokens of the prompt */
  input: number
  /** of these, tokens that are surely in the cache, by the provider's own count */
  cached: number
  /** what a ping costs at most, and a cold cache costs more than a warm one at least; US dollars */
  pingUsd: number
  savesUsd: number
  /** what pings have cost since a turn used it */
  paidUsd: number
}

/** Pings of the last 24 hours, and how many there may be. */
export interface WarmBudget {
  pings: number
  usd: number
  pingsPerDay: number
  usdPerDay: number
}

/** before a cache ends, for the clocks of both sides and for the way; of five minutes and of an hour */
const marginMs = (keptMs: number): number => Math.min(60_000, keptMs / 10)

/**
 * Decides whether a cache is worth keeping until `wakeAt`, when the session goes on (null: not known). Whatever the
 * pings cost, those before included, is less than what a cold cache is proved to cost then.
 */
export function decideWarm(prompt: WarmPrompt, wakeAt: number | null, budget: WarmBudget, now: number): KeepWarm {
  if (wakeAt === null || wakeAt <= now) return none('no-time')
  const at = nextPing(prompt)
  const pings = Math.ceil((wakeAt - prompt.usedAt) / (at - prompt.usedAt)) - 1
  if (pings <= 0) return none('lasts')
  // A machine that slept may have let it end.
  if (now >= (at + prompt.usedAt + prompt.keptMs) / 2) return none('too-late')
  const costUsd = pings * prompt.pingUsd
  if (!(prompt.paidUsd + costUsd < prompt.savesUsd)) return none('not-cheaper')
  if (budget.pings + pings > budget.pingsPerDay || budget.usd + costUsd > budget.usdPerDay) return none('budget')
  return { kind: 'pings', at, pings, costUsd, savesUsd: prompt.savesUsd }
}

/** Returns when a ping keeps the cache, should one be worth it then. */
export const nextPing = ({ usedAt, keptMs }: WarmPrompt): number => usedAt + keptMs - marginMs(keptMs)

export const none = (why: NotWarm): KeepWarm => ({ kind: 'none', why })

/**
 * Returns what is known of a prompt that was just sent, or why its cache can't be kept. Only at a vendor that says how
 * long it keeps a cache and that a use makes it last anew, and that takes a request without output: Anthropic's own
 * API (platform.claude.com/docs, Prompt caching). A key of the person's pays, at a known price.
 * @param lens the request as the provider got it
 */
export function warmPrompt(
  lens: RequestLens,
  choice: RouteChoice,
  usage: Usage,
  { usedAt, at }: { usedAt: number; at: number },
): WarmPrompt | NotWarm {
  const keep = lens.protocol === 'messages' ? lens.prefixDigest().keep : null
  const keptMs = cacheKeptMs(choice, keep)
  const cached = usage.cachedInput + (usage.cacheWrite ?? 0)
  if (keptMs === null || cached === 0) return 'not-known'
  if (!takesNoOutput(lens)) return 'form'
  const { input } = usage
  const [rest, hour] = [input - cached, keep === 'hour']
  const none: Usage = { input, cachedInput: 0, output: 0, reasoning: 0 }
  const read = { ...none, cachedInput: cached, cacheWrite: rest, ...(hour ? { cacheWriteHour: rest } : {}) }
  const usdOf = (one: Usage) => costOf({ usage: one, choice, signedIn: () => true, at }).costUsd
  // The next request may not mark its prompt: what it does not read costs what plain tokens cost, at least.
  const [cold, warm] = [
    { ...none, cacheWrite: rest },
    { ...none, cachedInput: cached, cacheWrite: rest },
  ]
  const [pingUsd, coldUsd, warmUsd] = [usdOf(read), usdOf(cold), usdOf(warm)]
  if (choice.key === null || pingUsd === null || coldUsd === null || warmUsd === null) return 'no-price'
  return { usedAt, keptMs, input, cached, pingUsd, savesUsd: coldUsd - warmUsd, paidUsd: 0 }
}

/**
 * Refused with `max_tokens: 0` are streams, thinking with a budget, an output of a set form and a forced tool (the same
 * page); a stream may be asked for as one body, the others are part of what is cached.
 */
function takesNoOutput(lens: RequestLens): boolean {
  const [thinking, output, choice] = ['thinking', 'output_config', 'tool_choice'].map((name) =>
    asObject(lens.value(name)),
  )
  const forced = choice?.['type'] === 'any' || choice?.['type'] === 'tool'
  return (
    lens.place('max_tokens') !== null &&
    thinking?.['type'] !== 'enabled' &&
    (output?.['format'] ?? lens.value('output_format') ?? null) === null &&
    !forced
  )
}

/** Returns the same prompt as a request without output; all but two members is as the provider got it. */
export const pingBody = (lens: RequestLens): Buffer =>
  splice(
    lens.body,
    Object.entries({ max_tokens: '0', stream: 'false' }).flatMap(([name, value]) => {
      const at = lens.place(name)
      return at ? [{ ...at, replacement: value }] : []
    }),
  )
