import { numberIn, type PlainHeaders, atDate, type StatedLimit, lastSpent, percent, type Window } from './parts.ts'
import type { Refusal } from './refusal.ts'

/** A month's quota: `premium_interactions`, `premium_models`, `chat`. The quota of completions is the editor's. */
const form = /^x-quota-snapshot-([a-z0-9_]{1,40})$/
/**
 * Limits of pace, by the names that such windows have elsewhere: a session rolls over after five hours, as observed.
 */
const paces = { session: '5h', weekly: '7d' } as const

/**
 * GitHub Copilot's windows, as VS Code reads them (microsoft/vscode, extensions/copilot, chatQuotaServiceImpl.ts):
 * `ent=300&ov=0.0&ovPerm=false&rem=80.5&rst=2026-12-01T00%3A00%3A00Z`. `rem` is the percentage left, `ent` -1 where
 * there is no limit, `ovPerm` that more may be used for money.
 */
export function copilotWindows(headers: PlainHeaders, now: number): readonly Window[] {
  const found: Window[] = []
  const add = (window: string, value: string | undefined) => {
    const fields = new URLSearchParams(value)
    const left = numberIn(fields.get('rem') ?? undefined)
    if (left === null || fields.get('ent') === '-1' || found.length === most) return
    found.push({
      window,
      usedPercent: percent(1 - left / 100),
      resetsAt: atDate(fields.get('rst'), now),
      spent: left <= 0 && fields.get('ovPerm') !== 'true',
    })
  }
  for (const [name, value] of headers) {
    const quota = form.exec(name)?.[1]
    if (quota !== undefined && quota !== 'completions') add(quota, value)
  }
  for (const [pace, window] of Object.entries(paces)) add(window, headers.get(`x-usage-ratelimit-${pace}`))
  return found
}
const most = 12

/**
 * 402 `quota_exceeded` is about a month's quota, and 429 never: a model that costs none of it may be asked too fast
 * while it is spent.
 */
export function copilotLimit({ names }: Refusal, headers: PlainHeaders, now: number): StatedLimit | null {
  const windows = copilotWindows(headers, now)
  if (windows.length === 0) return null
  const isQuota = names.some((name) => /quota_exceeded|spend_limit_reached/.test(name))
  const spans: readonly string[] = Object.values(paces)
  const isWeek = names.some((name) => name.startsWith('user_weekly_rate_limited'))
  const met = windows.filter((one) => (isWeek ? one.window === '7d' : spans.includes(one.window) !== isQuota))
  const spent = isWeek ? met[0] : lastSpent(met)
  return spent ? { window: spent.window, lifts: spent.resetsAt } : null
}
