import { useState } from 'react'
import { useApp } from '../app-context.ts'
import type { TestState } from './test-line.tsx'

export interface Tests {
  of(id: string): TestState | null
  run(ids: readonly string[]): void
  close(id: string): void
}

/** Tests of providers and their results, for as long as the view is open. */
export function useTests(): Tests {
  const { actions } = useApp()
  const [states, setStates] = useState<ReadonlyMap<string, TestState>>(new Map())
  const put = (id: string, state: TestState) => setStates((all) => new Map(all).set(id, state))
  return {
    of: (id) => states.get(id) ?? null,
    run(ids) {
      for (const id of ids) {
        if (states.get(id)?.kind === 'running') continue
        put(id, { kind: 'running' })
        void actions.testProvider(id).then((outcome) => put(id, { kind: 'done', outcome }))
      }
    },
    close: (id) => setStates((all) => new Map([...all].filter(([other]) => other !== id))),
  }
}
