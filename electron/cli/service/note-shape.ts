import { z } from 'zod'

const raw = z.object({
  file: z.string(),
  /** outermost folder that was made for it */
  made: z.string().nullable(),
  /** what stood there before, kept to be put back, by where it stood; earlier ones knew of one file */
  kept: z.union([z.string(), z.null(), z.record(z.string(), z.string())]),
})
export const noteShape = raw.transform(({ file, made, kept }) => ({
  file,
  made,
  kept: kept === null ? {} : typeof kept === 'string' ? { [file]: kept } : kept,
}))
export type ServiceNote = z.infer<typeof noteShape>
