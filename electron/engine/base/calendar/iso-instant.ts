/** Epoch milliseconds of an ISO 8601 instant with zone; null for anything else, days that don't exist included. */
export function isoInstant(time: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(time)
  if (!parts) return null
  const [year, month, day] = parts.slice(1).map(Number)
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day))
  const at = Date.parse(time)
  return Number.isNaN(at) || date.getUTCDate() !== day ? null : at
}
