/** Reads the number of rounds as a person writes it. Empty and ∞ mean no limit, as null. */
export function parseRounds(text: string): number | null | 'bad' {
  const written = text.trim()
  if (written === '' || written === '∞') return null
  if (!/^\d{1,6}$/.test(written)) return 'bad'
  const rounds = Number(written)
  return rounds >= 1 ? rounds : 'bad'
}
