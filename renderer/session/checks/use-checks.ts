import { useEffect } from 'react'
import { useApp, useEngine, useLive } from '../../app-context.ts'
import { checksOf } from '../../state/checks.ts'
import type { FolderChecks } from '../../../shared/review.ts'
import type { SessionView } from '../../../shared/state.ts'

/** Checks of the session's folder. They are read when they are shown, because a file may have changed since. */
export function useChecks(session: SessionView): FolderChecks | null {
  const { actions } = useApp()
  const live = useLive()
  const snapshot = useEngine((s) => s.snapshots)
  const { id } = session
  useEffect(() => {
    if (live) void actions.loadChecks(id)
  }, [actions, live, snapshot, id])
  return useEngine((s) => checksOf(s.checks, session))
}
