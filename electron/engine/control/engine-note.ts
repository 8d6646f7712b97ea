import { z } from 'zod'

const engineInfo = z.object({
  pid: z.number().int().positive(),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  /** its own socket, see base/own-socket.ts */
  socket: z.string().min(1),
  /** epoch milliseconds */
  startedAt: z.number(),
  version: z.string(),
  /** the system’s service manager runs it, and starts it again when it fails */
  service: z.boolean().optional(),
})
export type EngineInfo = z.infer<typeof engineInfo>

/** With the identity of the process: its number alone may be another's by now. */
const note = engineInfo.extend({ start: z.string().nullable() })

/** A note that can't be understood is of no engine that could be spoken to. */
export function parseNote(text: string | null): z.infer<typeof note> | null {
  if (text === null) return null
  try {
    return note.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
