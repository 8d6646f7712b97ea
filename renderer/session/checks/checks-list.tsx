import { useApp, useEngine, useLive, useMay, useUi, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { AddCheck } from './add-check.tsx'
import { CheckRow } from './check-row.tsx'
import { useEffect } from 'react'
import { checksOf } from '../../state/checks.ts'
import type { FolderChecks } from '../../../shared/review.ts'

/** The checks that have to pass before the goal counts as reached. */
export function ChecksList({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const found = useChecks(session)
  const mayAdd = useMay('declareCheck')
  const adding = useUi((s) => s.addingCheck === session.id)
  const t = w.checks
  if (!found) return null
  const { folder, checks, problem } = found
  return (
    <>
      <ul className="check-list checks meta" aria-label={t.title}>
        {problem !== null && (
          <li>
            <Shape shape="failed" />
            <span className="failed wrap">{t.unreadable(problem)}</span>
          </li>
        )}
        {folder === null && (
          <li>
            <Shape shape="idle" />
            <span className="wrap">{t.noFolder}</span>
          </li>
        )}
        {folder !== null &&
          checks.map((check) => <CheckRow key={check.name} session={session.id} folder={folder} check={check} />)}
        {folder !== null && checks.length === 0 && problem === null && !adding && (
          <li>
            <Shape shape="idle" />
            <span className="grow cut" title={t.none}>
              {t.none}
            </span>
          </li>
        )}
        {folder !== null && !adding && mayAdd && (
          <li>
            <Icon name="plus" />
            <button
              type="button"
              className="link meta"
              disabled={!live}
              onClick={() => ui.setState({ addingCheck: session.id })}
            >
              {t.add}
            </button>
          </li>
        )}
      </ul>
      {adding && folder !== null && <AddCheck session={session.id} onDone={() => ui.setState({ addingCheck: null })} />}
    </>
  )
}

/** Checks of the session's folder. They are read when they are shown, because a file may have changed since. */
function useChecks(session: SessionView): FolderChecks | null {
  const { actions } = useApp()
  const live = useLive()
  const snapshot = useEngine((s) => s.snapshots)
  const { id } = session
  useEffect(() => {
    if (live) void actions.loadChecks(id)
  }, [actions, live, snapshot, id])
  return useEngine((s) => checksOf(s.checks, session))
}
