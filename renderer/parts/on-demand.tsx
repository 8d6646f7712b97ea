import { useEffect, type ComponentType, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useLive } from '../app-context.ts'
import { NotFetched } from './not-fetched.tsx'
import { reloadForNewFiles } from './reload-for-new-files.ts'

export interface OnDemand<P extends object = object> {
  Component: ComponentType<P>
  /** fetches it, so that a first click need not wait */
  load(): void
}

type Fetched<P> = { kind: 'not-there' | 'coming' | 'missing' } | { kind: 'here'; Part: ComponentType<P> }

const emptyPane = <main className="pane" aria-busy />

/**
 * A part of the page that is fetched when it is first shown, or when the page has nothing better to do. What is there is
 * drawn at once: React's `lazy` would draw the empty place first.
 *
 * @param waiting stands in its place until it is there
 * @param missing stands there when it can't be fetched
 */
export function onDemand<P extends object = object>(
  fetchIt: () => Promise<ComponentType<P>>,
  waiting: ReactNode = emptyPane,
  missing: ReactNode = <NotFetched />,
): OnDemand<P> {
  const store = createStore<Fetched<P>>(() => ({ kind: 'not-there' }))
  /** What was fetched ahead and failed is fetched again when somebody wants to see it. */
  const ask = (failed: 'not-there' | 'missing') => {
    if (store.getState().kind !== 'not-there') return
    store.setState({ kind: 'coming' }, true)
    fetchIt().then(
      (Part) => store.setState({ kind: 'here', Part }, true),
      () => store.setState({ kind: failed }, true),
    )
  }
  return {
    load: () => ask('not-there'),
    Component(props) {
      const fetched = useStore(store)
      useEffect(() => ask('missing'), [fetched.kind])
      if (fetched.kind === 'here') return <fetched.Part {...props} />
      return fetched.kind === 'missing' ? <Missing>{missing}</Missing> : waiting
    },
  }
}

/**
 * The engine is away, or another version of it is there: its files have other names. The page is loaded again, and is the
 * new version's, as soon as there is an engine.
 */
function Missing({ children }: { children: ReactNode }) {
  const live = useLive()
  useEffect(() => {
    if (live) reloadForNewFiles(window)
  }, [live])
  return children
}
