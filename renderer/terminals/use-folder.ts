import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp, useLive } from '../app-context.ts'
import type { FolderListing } from '../../shared/setup/folders.ts'
import type { Problem } from '../control/problem.ts'

export interface ShownFolder {
  /** null: none was shown yet */
  listing: FolderListing | null
  /** the line that keys act on */
  at: number
  /** why the last one that was asked for is not shown; the one before stays */
  problem: { path: string; why: Problem } | null
  hidden: boolean
  setAt(at: number): void
  setHidden(hidden: boolean): void
  /** `from`: the folder one comes from, whose line is the one to be on */
  go(path: string, from?: string): void
}

/**
 * Walks through the folders of the engine's machine. After a folder that can't be shown the listing stays as it was.
 */
export function useFolder(start: string): ShownFolder {
  const { actions } = useApp()
  const live = useLive()
  const [listing, setListing] = useState<FolderListing | null>(null)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<ShownFolder['problem']>(null)
  const [hidden, setHidden] = useState(false)
  const asked = useRef(0)

  const ask = useCallback(
    async (path: string, withHidden: boolean, from: string | undefined): Promise<boolean> => {
      const mine = ++asked.current
      const outcome = await actions.ask((c) => c.listFolder.query({ path, hidden: withHidden }))
      // The person has gone on in the meantime and does not want this one any more.
      if (mine !== asked.current) return true
      if (!outcome.ok) {
        setProblem({ path, why: outcome.problem })
        return false
      }
      setProblem(null)
      setListing(outcome.value)
      setAt(Math.max(from === undefined ? 0 : outcome.value.folders.indexOf(from), 0))
      return true
    },
    [actions],
  )
  const begun = useRef(false)
  useEffect(() => {
    if (!live || begun.current) return
    begun.current = true
    void (async () => {
      if (await ask(start, false, undefined)) return
      // The typed text is no folder: the reason stays in sight, over one that is.
      const outcome = await actions.ask((c) => c.listFolder.query({ path: '', hidden: false }))
      if (outcome.ok) setListing((before) => before ?? outcome.value)
    })()
  }, [actions, ask, live, start])

  return {
    listing,
    at,
    problem,
    hidden,
    setAt,
    setHidden(next) {
      setHidden(next)
      if (listing) void ask(listing.path, next, listing.folders[at])
    },
    go: (path, from) => void ask(path, hidden, from),
  }
}
