import { useState } from 'react'
import { useApp, type App } from '../app-context.ts'
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
const nameOf = ({ machine }: App, id: string, alias = ''): string => [machine ?? '', id, alias].join('/')

/** Tests of providers of any of the engines and their results, for as long as the view is open. */
export function useTestsAt(): (app: App) => Tests {
  const [states, setStates] = useState<ReadonlyMap<string, TestState>>(new Map())
  const put = (name: string, state: TestState) => setStates((all) => new Map(all).set(name, state))
  const start = (app: App, id: string, key?: string) => {
    const name = nameOf(app, id, key)
    if (states.get(name)?.kind === 'running') return
    put(name, { kind: 'running' })
    void app.actions.testProvider(id, key).then((outcome) => put(name, { kind: 'done', outcome }))
  }
  return (app) => ({
    of: (id) => states.get(nameOf(app, id)) ?? null,
    run(ids) {
      for (const id of ids) start(app, id)
    },
    close: (id) => setStates((all) => new Map([...all].filter(([other]) => other !== nameOf(app, id)))),
    ofKey: (id, alias) => states.get(nameOf(app, id, alias)) ?? null,
    runKey: (id, alias) => start(app, id, alias),
  })
}

/** Of the engine around. */
export const useTests = (): Tests => useTestsAt()(useApp())
