const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads `20ms`, `1s`, `6m0s`, `1h2m3.5s` (OpenAI, rate limits guide; Groq), Google's `34.07s`, and in words `3 days 2
 * hours 10 minutes`. Returns null for anything else.
 */
export function durationMs(text: string): number | null {
  let sum = 0
  let rest = text.slice(0, 80).trim()
  if (rest === '') return null
  while (rest !== '') {
    const [all = '', number = '', unit = ''] =
      /^(\d{1,12}(?:\.\d{1,12})?) ?(ms|milliseconds?|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])(?:,? and |[, ]*)/i.exec(
        rest,
      ) ?? []
    const ms = unitMs[/^m(?:s$|illi)/i.test(unit) ? 'ms' : unit.slice(0, 1).toLowerCase()]
    if (all === '' || ms === undefined) return null
    sum += Number(number) * ms
    rest = rest.slice(all.length)
  }
  return sum
}
