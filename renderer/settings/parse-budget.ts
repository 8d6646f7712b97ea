/** Reads a limit as a person writes it. Empty means never, as null. Pure. */
export function parseBudget(text: string, whole: boolean): number | null | 'bad' {
  const written = text.trim().replaceAll(/[\s_]/g, '')
  if (written === '') return null
  if (!(whole ? /^\d{1,12}$/ : /^\d{1,9}([.,]\d{1,4})?$/).test(written)) return 'bad'
  const value = Number(written.replace(',', '.'))
  return value > 0 ? value : 'bad'
}

/** As it is written in a field: figures in threes, so that 2 000 000 can be read. */
export const budgetText = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? ''
    : Number.isInteger(value)
      ? value.toLocaleString('en').replaceAll(',', ' ')
      : String(value)
