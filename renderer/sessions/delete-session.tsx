import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** Deleted data can't be brought back, so this dialog asks, and says what goes with the session. */
export function DeleteSession({ session, onClose }: { session: string; onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const view = useEngine((s) => s.sessions.get(session))
  const t = w.session.delete
  const name = view?.name ?? session
  const alarms = view?.nextAlarm?.waiting ?? 0
  return (
    <Dialog title={t.title(name)} size={420} onClose={onClose}>
      <p className="t2">{t.text}</p>
      {view?.stopMessage && <p className="t2">{t.goal}</p>}
      {alarms > 0 && <p className="t2">{t.alarms(alarms)}</p>}
      <p className="meta" style={{ marginTop: 8 }}>
        {t.stays}
      </p>
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {t.keep}
        </Button>
        <Button
          tone="danger"
          disabled={!live}
          onClick={() => {
            onClose()
            void actions.deleteSession(session, name)
          }}
        >
          {t.yes}
        </Button>
      </div>
    </Dialog>
  )
}
