/** How numbers of the config are shown to a person, and how what they write is read. Pure. */
import type { SettingName, SettingView } from '../../../shared/settings.ts'

export const units = [
  'ms',
  'seconds',
  'minutes',
  'megabytes',
  'characters',
  'rounds',
  'calls',
  'answers',
  'results',
  'times',
  'percent',
] as const
export type Unit = (typeof units)[number]

const factors: Readonly<Partial<Record<Unit, number>>> = { megabytes: 1024 * 1024 }

/** The factor from the shown unit to the file's: milliseconds are shown in units that a person counts in. */
export function factorOf(name: SettingName, unit: Unit): number {
  if (unit === 'seconds') return name.endsWith('Ms') ? 1_000 : 1
  if (unit === 'minutes') return name.endsWith('Ms') ? 60_000 : 60
  return factors[unit] ?? 1
}

export const numberText = (value: number, factor: number): string =>
  String(Math.round((value / factor) * 1_000) / 1_000)

export type Misread =
  | { kind: 'no-number' }
  | { kind: 'whole' }
  | { kind: 'range'; min: number | null; above: boolean; max: number | null }

/** @returns the value for the file; null: the default */
export function readNumber(
  text: string,
  { min, max, above, whole }: Pick<SettingView, 'min' | 'max' | 'above' | 'whole'>,
  factor: number,
): { value: number | null } | { misread: Misread } {
  const written = text.trim().replaceAll(/[\s_]/g, '').replace(',', '.')
  if (written === '') return { value: null }
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(written)) return { misread: { kind: 'no-number' } }
  const exact = Number(written) * factor
  if (whole && factor === 1 && !Number.isInteger(exact)) return { misread: { kind: 'whole' } }
  const value = whole ? Math.round(exact) : exact
  const low = min !== null && (above ? value <= min : value < min)
  if (low || (max !== null && value > max))
    return {
      misread: {
        kind: 'range',
        min: min === null ? null : min / factor,
        above,
        max: max === null ? null : max / factor,
      },
    }
  return { value }
}
