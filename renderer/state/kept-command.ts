/** How the command line is called, kept for when no engine is there to say so, and a line says how to start one. */
import type { StoreApi } from 'zustand/vanilla'
import type { EngineState } from './engine.ts'

const key = 'onward-command'

/** @returns the command that was kept before */
export function keepCommand(
  engine: StoreApi<EngineState>,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
): string | null {
  const before = storage?.getItem(key) ?? null
  let kept = before
  engine.subscribe(({ status }) => {
    if (!status?.command || status.command === kept) return
    kept = status.command
    storage?.setItem(key, kept)
  })
  return before
}
