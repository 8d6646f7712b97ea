import { useEffect, type ComponentType, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useEngine, useLive, useWords } from '../app-context.ts'
import { reloadForNewFiles } from './reload-for-new-files.ts'
import { Button } from './button.tsx'
import { Trouble } from './trouble.tsx'

export interface OnDemand<P extends object = object> {
  Component: ComponentType<P>
  /** fetches it, so that a first click need not wait */
  load(): void
}

type Fetched<P> = { kind: 'not-there' | 'coming' | 'missing' } | { kind: 'here'; Part: ComponentType<P> }

const emptyPane = <main className="pane" aria-busy />

const laterStyles = () => import('../styles/later.css')

/**
 * A part of the page that is fetched when it is first shown, or when the page has nothing better to do. What is there
 * is drawn at once: React's `lazy` would draw the empty place first.
 *
 * @param waiting stands in its place until it is there; a component is given what the part will be
 * @param missing stands there when it can't be fetched
 */
export function onDemand<P extends object = object>(
  fetchIt: () => Promise<ComponentType<P>>,
  waiting: ReactNode | ComponentType<P> = emptyPane,
  missing: ReactNode = <NotFetched />,
): OnDemand<P> {
  const store = createStore<Fetched<P>>(() => ({ kind: 'not-there' }))
  /** A part that was fetched ahead in vain is fetched again when it is to be shown. */
  const ask = (failed: 'not-there' | 'missing') => {
    if (store.getState().kind !== 'not-there') return
    store.setState({ kind: 'coming' }, true)
    Promise.all([fetchIt(), laterStyles()]).then(
      ([Part]) => store.setState({ kind: 'here', Part }, true),
      () => store.setState({ kind: failed }, true),
    )
  }
  return {
    load: () => ask('not-there'),
    Component(props) {
      const fetched = useStore(store)
      useEffect(() => ask('missing'), [fetched.kind])
      if (fetched.kind === 'here') return <fetched.Part {...props} />
      if (fetched.kind === 'missing') return <Missing>{missing}</Missing>
      if (typeof waiting !== 'function') return waiting
      const Waiting = waiting
      return <Waiting {...props} />
    },
  }
}

/**
 * The engine is away, or another version of it is there: its files have other names. The page is loaded again, and is
 * the new version's, as soon as there is an engine.
 */
function Missing({ children }: { children: ReactNode }) {
  const live = useLive()
  // it is still connected, and serves no more files
  const ends = useEngine((s) => s.status?.finishing !== undefined)
  useEffect(() => {
    if (live && !ends) void reloadForNewFiles(window)
  }, [live, ends])
  return children
}

/** In the place of a part of the page that could not be loaded. */
export function NotFetched() {
  const { w } = useWords()
  return (
    <div className="pane pad" role="alert">
      <Trouble shape="failed" title={w.onDemand.notFetched} text={w.onDemand.notFetchedHint}>
        <Button onClick={() => window.location.reload()}>{w.onDemand.reload}</Button>
      </Trouble>
    </div>
  )
}
