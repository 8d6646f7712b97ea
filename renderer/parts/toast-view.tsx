import { notifications, Notifications } from '@mantine/notifications'
import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { toastMs, type ShowToast, type Toast } from './toasts.ts'
import { IconButton } from './button.tsx'

/** Puts a toast on Mantine's stack; `createToasts` is given this. */
export const showToast: ShowToast = (toast, onGone) => {
  const id = `toast-${toast.id}`
  notifications.show({ id, autoClose: toastMs, role: 'status', onClose: onGone, message: <ToastBody toast={toast} close={() => notifications.hide(id)} /> })
  return () => { notifications.hide(id) }
}

export const ToastStack = () => (
  <Notifications position="bottom-right" className="toasts" transitionDuration={140} limit={3} renderNotification={(notification) => notification.message} />
)

function ToastBody({ toast, close }: { toast: Toast; close: () => void }) {
  const { w } = useWords()
  const { undo } = toast
  return (
    <div className="toast">
      {toast.tone === 'failed' && <Shape shape="failed" />}
      <span className="grow">{toast.text}</span>
      {undo && <button type="button" className="btn s" onClick={() => void undo()}>{w.say.undo}<kbd>Ctrl Z</kbd></button>}
      <IconButton icon="x" small name={w.say.close} onClick={close} />
    </div>
  )
}
