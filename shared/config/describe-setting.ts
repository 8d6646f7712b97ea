import { z } from 'zod'

/**
 * What a setting is for, as its schema and the reference of the config say it. As `describe`, but of the setting itself
 * and not of a copy: making a copy of each took some milliseconds of every start.
 */
export function says<S extends z.ZodType>(setting: S, text: string): S {
  z.globalRegistry.add<z.ZodType>(setting, { description: text })
  return setting
}
