import type { SettingView } from '../../../shared/settings.ts'

/** Other than it is by itself. */
export function isChanged({ value, default: usual }: SettingView): boolean {
  if (!Array.isArray(value) || !Array.isArray(usual)) return value !== usual
  return value.length !== usual.length || value.some((one, i) => one !== usual[i])
}
