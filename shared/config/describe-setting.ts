import { z } from 'zod'

/**
 * Sets the purpose of a setting, as its schema and the config reference show it. Like `describe`, but on the setting
 * itself and not on a copy: making a copy of each took some milliseconds of every start.
 */
export function says<S extends z.ZodType>(setting: S, text: string): S {
  z.globalRegistry.add<z.ZodType>(setting, { description: text })
  return setting
}
