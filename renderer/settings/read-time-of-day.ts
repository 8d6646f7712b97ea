/** “22:30”, “7”, “0730” or “22：30” as the config writes it; null: no time of a day. */
export function readTimeOfDay(text: string): string | null {
  const found = /^(\d{1,2})(?:\s*[:：.]?\s*(\d{2}))?$/.exec(text.trim())
  if (!found) return null
  const [, hour = '', minute = '00'] = found
  return Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null
}
