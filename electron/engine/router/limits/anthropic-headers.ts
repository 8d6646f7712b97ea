import { numberIn, type PlainHeaders, atDate, atSeconds, lastSpent, percent, windowOf, type Window } from './parts.ts'

const prefix = 'anthropic-ratelimit-'
const unified = `${prefix}unified-`

/** The API's windows (Anthropic, rate limits: response headers); resets are RFC 3339. */
const apiWindows = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const

export const anthropicWindows = (headers: PlainHeaders, now: number): readonly Window[] =>
  apiWindows.flatMap((name) => {
    const of = (what: string): string | undefined => headers.get(`${prefix}${name}-${what}`)
    return windowOf(name, numberIn(of('limit')), numberIn(of('remaining')), atDate(of('reset'), now)) ?? []
  })

/** Matches every window that Claude Code knows, and those it does not know yet: `5h`, `7d`, `7d_oi`. */
const ofWindow = /^anthropic-ratelimit-unified-([a-z0-9_]{1,20})-(?:utilization|status)$/

/** A subscription's windows, as Claude Code reads them: utilization from 0 to 1 and beyond, resets in epoch seconds. */
export function subscriptionWindows(headers: PlainHeaders, now: number): readonly Window[] {
  const names = new Set<string>()
  for (const name of headers.keys()) {
    const window = ofWindow.exec(name)?.[1]
    if (window !== undefined && window !== 'overage' && names.size < 12) names.add(window)
  }
  return [...names].map((name) => {
    const used = numberIn(headers.get(`${unified}${name}-utilization`))
    return {
      window: name,
      usedPercent: used === null ? null : percent(used),
      resetsAt: atSeconds(numberIn(headers.get(`${unified}${name}-reset`)), now),
      spent: headers.get(`${unified}${name}-status`) === 'rejected',
    }
  })
}

/** The limit that the subscription was refused for; null: no limit refused it (`allowed`, `allowed_warning`). */
export function subscriptionLimit(
  headers: PlainHeaders,
  now: number,
): { window: string | null; lifts: number | null } | null {
  const windows = subscriptionWindows(headers, now)
  const spent = lastSpent(windows)
  const status = headers.get(`${unified}status`)
  if (status === undefined ? !spent : status !== 'rejected') return null
  const claim = headers.get(`${unified}representative-claim`)
  const claimed = claim === undefined ? null : windowOfClaim(claim)
  const own = windows.find((one) => one.window === claimed) ?? spent
  const window = own?.window ?? claimed
  return { window, lifts: atSeconds(numberIn(headers.get(`${unified}reset`)), now) ?? own?.resetsAt ?? null }
}

/** `five_hour` and `seven_day`, the latter also for single models: `seven_day_opus`. */
const windowOfClaim = (claim: string): string =>
  claim
    .slice(0, 40)
    .replace(/^five_hour/, '5h')
    .replace(/^seven_day/, '7d')
