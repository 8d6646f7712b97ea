import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { viewOfCaptured } from '../../screen/captured.ts'
import type { ScreenView } from '../../screen/view.ts'

const header = z.object({
  from: z.enum(['tmux', 'pty']),
  version: z.string(),
  cols: z.number(),
  rows: z.number(),
  cursor: z.object({ x: z.number(), y: z.number() }),
  cursorVisible: z.boolean(),
  title: z.string(),
  status: z
    .object({
      state: z.enum(['idle', 'working', 'done', 'blocked']),
      kind: z.string().nullable(),
      app: z.string().nullable(),
    })
    .nullable()
    .default(null),
})

/**
 * A recorded screen of a real client, for tests: a JSON line of facts, then what `tmux capture-pane -p -e` (or the
 * serialized screen of an own PTY) gave, with ␛ in the place of ESC.
 */
export const loadScreen = (name: string): Promise<ScreenView> =>
  readScreen(readFileSync(new URL(`../fixtures/${name}.screen`, import.meta.url), 'utf8'))

/** The same of a file's text; a report of a screen has this form too (../screen/screen-report.ts). */
export async function readScreen(file: string): Promise<ScreenView> {
  const end = file.indexOf('\n')
  const facts = header.parse(JSON.parse(file.slice(0, end)))
  const text = file.slice(end + 1).replaceAll('␛', '\u001b')
  return { ...(await viewOfCaptured({ ...facts, text, bracketedPaste: null })), programStatus: facts.status }
}
