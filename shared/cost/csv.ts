/** RFC 4180. A cell that a spreadsheet would run as a formula is disarmed: names and errors come from outside. */
export const csvLines = (lines: readonly (readonly (string | number | null)[])[]): string =>
  `${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
