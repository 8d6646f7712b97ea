import { useApp, useEngine, useLive, useMay, useUi, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { splitCommand } from '../../../shared/commands/split-command.ts'
import type { SessionView } from '../../../shared/state.ts'
import { CheckRow } from './check-row.tsx'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'
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

/** A check of a person's own, written as one types it; the engine says what it does not take. */
function AddCheck({ session, onDone }: { session: string; onDone: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [command, setCommand] = useState('')
  const { busy, refused, refuse, give } = useOrder()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const t = w.checks
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const words = splitCommand(command)
    if (words === null) return refuse(t.badCommand)
    if (words.length === 0) return refuse(t.noCommand)
    const declared = await give(() => actions.declareCheck({ session, command: command.trim() }))
    if (declared.ok) onDone()
  }
  return (
    <form
      className="check-add"
      onSubmit={(e) => void submit(e)}
      onKeyDown={(e) => {
        if (e.key === 'Escape') {
          e.stopPropagation()
          onDone()
        }
      }}
    >
      <div className="hstack">
        <TextField
          ref={input}
          boxClass="grow mono"
          label={t.command}
          hideLabel
          placeholder={t.commandPlaceholder}
          value={command}
          disabled={!live}
          aria-invalid={refused !== null || undefined}
          onChange={(e) => setCommand(e.currentTarget.value)}
        />
        <Button type="submit" tone="primary" busy={busy} disabled={!live}>
          {t.addDo}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {w.say.cancel}
        </Button>
      </div>
      {refused ? <Problem text={refused} /> : <p className="meta">{t.addHint}</p>}
    </form>
  )
}
