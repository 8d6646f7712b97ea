import { createRunProgram, type RunProgramDeps } from './run-program.ts'
import type { RunProgram } from './types.ts'

/** Programs of an owner that may end before they do. */
export interface RunningPrograms {
  run: RunProgram
  /** Stops all of them, and resolves when they are gone: one that does not listen is ended by force. */
  dispose(): Promise<void>
}

export function createRunningPrograms(deps: Pick<RunProgramDeps, 'clock' | 'env'>): RunningPrograms {
  const over = new AbortController()
  const runProgram = createRunProgram({ ...deps, over: over.signal })
  const running = new Set<Promise<unknown>>()
  return {
    run(start, signal) {
      const ended = runProgram(start, signal)
      running.add(ended)
      const forget = () => {
        running.delete(ended)
      }
      ended.then(forget, forget)
      return ended
    },
    async dispose() {
      over.abort()
      await Promise.allSettled(running)
    },
  }
}
