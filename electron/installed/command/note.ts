import { join } from 'node:path'
import { z } from 'zod'
import type { InstalledSystem } from '../types.ts'

const shape = z.object({
  path: z.string(),
  /** outermost folder that was made for it */
  made: z.string().nullable(),
})
type Note = z.infer<typeof shape>

/** Which folders were made for the command, so that they go with it. */
export function commandNote(system: InstalledSystem, home: string) {
  const file = join(home, 'command.json')
  return {
    async read(): Promise<Note | null> {
      const text = await system.read(file)
      return text === null ? null : shape.parse(JSON.parse(text.toString()))
    },
    async write(note: Note): Promise<void> {
      await system.write(file, Buffer.from(`${JSON.stringify(note)}\n`))
    },
    forget: () => system.remove(file),
  }
}
