import { useState } from 'react'
import { useApp } from '../app-context.ts'
import type { TestState } from './test-line.tsx'

export interface Tests {
  of(id: string): TestState | null
  run(ids: readonly string[]): void
  close(id: string): void
  /** of one key by itself */
  ofKey(id: string, alias: string): TestState | null
  runKey(id: string, alias: string): void
}

/** An id has no slash. */
const keyName = (id: string, alias: string): string => `${id}/${alias}`

/** Tests of providers and their results, for as long as the view is open. */
export function useTests(): Tests {
  const { actions } = useApp()
  const [states, setStates] = useState<ReadonlyMap<string, TestState>>(new Map())
  const put = (name: string, state: TestState) => setStates((all) => new Map(all).set(name, state))
  const start = (name: string, id: string, key?: string) => {
    if (states.get(name)?.kind === 'running') return
    put(name, { kind: 'running' })
    void actions.testProvider(id, key).then((outcome) => put(name, { kind: 'done', outcome }))
  }
  return {
    of: (id) => states.get(id) ?? null,
    run(ids) {
      for (const id of ids) start(id, id)
    },
    close: (id) => setStates((all) => new Map([...all].filter(([other]) => other !== id))),
    ofKey: (id, alias) => states.get(keyName(id, alias)) ?? null,
    runKey: (id, alias) => start(keyName(id, alias), id, alias),
  }
}
