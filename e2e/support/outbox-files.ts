import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OutboxEntry } from '../../electron/engine/terminals/outbox/entry.ts'
import type { OutboxState } from '../../electron/engine/terminals/outbox/outbox-file.ts'

/** The outbox files of a home as they stand on disk, whether or not an engine runs. */
export interface OutboxFiles {
  /** null before anything was written for the scope */
  of(scope: string): OutboxState | null
  entry(scope: string, fits: (entry: OutboxEntry) => boolean): OutboxEntry | null
}

/** @param port of the engine: it names the session folder */
export function outboxFiles(home: string, port: number): OutboxFiles {
  const folder = join(home, 'sessions', `127.0.0.1_${port}`, 'outbox')
  const of = (scope: string): OutboxState | null => {
    if (!existsSync(folder)) return null
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.json') || name.startsWith('.')) continue
      const { state } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { state: OutboxState }
      if (state.scope === scope) return state
    }
    return null
  }
  return { of, entry: (scope, fits) => of(scope)?.entries.findLast(fits) ?? null }
}

/**
 * Resolves as soon as `look` is true, asked again at every change in one of the folders; false after `limitMs`.
 * For what passes within milliseconds, where a poll would miss it.
 */
export function atOnce(paths: readonly string[], look: () => boolean, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const watchers = Array.from(new Set(paths.map((p) => (p.endsWith('.jsonl') ? dirname(p) : p))), (folder) =>
      watch(folder, () => again()),
    )
    const timer = setTimeout(() => end(false), limitMs)
    const end = (result: boolean) => {
      clearTimeout(timer)
      for (const watcher of watchers.splice(0)) watcher.close()
      resolve(result)
    }
    const again = () => {
      if (look()) end(true)
    }
    again()
  })
}
