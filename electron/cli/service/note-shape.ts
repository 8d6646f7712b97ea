import { z } from 'zod'

export const noteShape = z.object({
  file: z.string(),
  /** outermost folder that was made for it */
  made: z.string().nullable(),
  /** what stood there before, kept to be put back */
  kept: z.string().nullable(),
})
export type ServiceNote = z.infer<typeof noteShape>
