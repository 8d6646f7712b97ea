import { z } from 'zod'
import { settingNames } from '../settings.ts'

/** null: as it is by itself; the member leaves the file */
export const setSettingInput = z.object({
  name: z.enum(settingNames),
  value: z.union([z.number(), z.boolean(), z.string().max(2_000), z.array(z.string().max(2_000)).max(200)]).nullable(),
})
export type SetSettingInput = z.infer<typeof setSettingInput>
export const addLocalKeyInput = z.string().trim().min(1).max(64)
