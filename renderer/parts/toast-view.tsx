import { notifications, Notifications } from '@mantine/notifications'
import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import type { ShowToast, Toast } from './toasts.ts'
import { Button, IconButton } from './button.tsx'

/** Puts a toast on Mantine's stack; `createToasts` is given this. */
export const showToast: ShowToast = (toast, onGone) => {
  const id = `toast-${toast.id}`
  notifications.show({
    id,
    autoClose: toast.ms,
    role: 'status',
    onClose: onGone,
    message: <ToastBody toast={toast} close={() => notifications.hide(id)} />,
  })
  return () => {
    notifications.hide(id)
  }
}

export const ToastStack = () => (
  <Notifications
    position="bottom-right"
    className="toasts"
    transitionDuration={140}
    limit={3}
    renderNotification={(notification) => notification.message}
  />
)

function ToastBody({ toast, close }: { toast: Toast; close: () => void }) {
  const { w } = useWords()
  const { undo } = toast
  if (toast.title !== null) return <NoticeBody toast={toast} title={toast.title} close={close} />
  return (
    <div className="toast">
      {toast.tone === 'failed' && <Shape shape="failed" />}
      <span className="grow">{toast.text}</span>
      {undo && (
        <button type="button" className="btn s" onClick={() => void undo()}>
          {w.say.undo}
          <kbd>Ctrl Z</kbd>
        </button>
      )}
      <IconButton icon="x" small name={w.say.close} onClick={close} />
    </div>
  )
}

/** A notice of the engine: its title, its words, and its actions. */
function NoticeBody({ toast, title, close }: { toast: Toast; title: string; close: () => void }) {
  const { w } = useWords()
  return (
    <div className="toast notice">
      {toast.tone === 'failed' ? <Shape shape="failed" /> : <Icon name="bell" />}
      <div className="grow">
        <p className="cut">
          <b>{title}</b>
        </p>
        <p className="t2 notice-text">{toast.text}</p>
      </div>
      <IconButton icon="x" small name={w.say.close} onClick={close} />
      {toast.actions.length > 0 && (
        <div className="hstack notice-acts">
          {toast.actions.map(({ text, run }, i) => (
            <Button key={text} small tone={i === 0 ? undefined : 'quiet'} onClick={run}>
              {text}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
