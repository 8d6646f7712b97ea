import type { LogPage } from '../../../shared/log-page.ts'
import { readLine, type LogLine } from './read-line.ts'

/** most that is kept and drawn from; older lines go */
export const MOST_LINES = 5_000

export interface LogTail {
  path: string
  lines: readonly LogLine[]
  /** null: nothing was read yet */
  cursor: string | null
  /** older lines are left out */
  gap: boolean
}

export const noLog: LogTail = { path: '', lines: [], cursor: null, gap: false }

/** Adds new lines after the earlier ones, bounded. */
export function withPage(tail: LogTail, page: LogPage): LogTail {
  if (page.lines.length === 0 && tail.cursor === page.cursor) return tail
  const first = (tail.lines.at(-1)?.id ?? 0) + 1
  const all = [...tail.lines, ...page.lines.map((line, i) => readLine(line, first + i))]
  return {
    path: page.path,
    lines: all.slice(-MOST_LINES),
    cursor: page.cursor,
    gap: tail.gap || page.gap || all.length > MOST_LINES,
  }
}
