import { isReal } from './calendar.ts'
import type { Said } from './said.ts'

const iso =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:t| )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(z|[+-]\d{2}:?(?:\d{2})?))?)?$/

/** “2026-11-25 14:30”, “2026-11-25T14:30:00+01:00”, “2026/11/25” */
export function readIso(text: string): Said | null {
  const found = iso.exec(text)
  if (!found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0))
  if (!isReal({ year, month, day }) || hour > 23 || minute > 59 || second > 59) return null
  const zone = found[8]
  if (zone === undefined)
    return { kind: 'wall', date: { year, month, day }, time: found[4] === undefined ? null : { hour, minute, second } }
  const ms = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000)
  const offset = offsetOf(zone)
  return offset === null
    ? null
    : { kind: 'instant', at: Date.UTC(year, month - 1, day, hour, minute, second, ms) - offset }
}

/** “z”, “+01:00”, “-0330”, “+08” as milliseconds ahead of UTC */
function offsetOf(zone: string): number | null {
  if (zone === 'z') return 0
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (Number(hours) > 14 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
