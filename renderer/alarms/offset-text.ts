import type { Dictionary } from '../i18n/index.ts'

/** +12 ms, −1 204 ms: the correction of this computer's time. */
export function offsetText(offsetMs: number, w: Dictionary): string {
  const ms = Math.round(offsetMs)
  const figure = String(Math.abs(ms)).replace(/\B(?=(\d{3})+$)/g, ' ')
  return w.alarms.offset(ms === 0 ? '0' : ms > 0 ? `+${figure}` : `−${figure}`)
}
