import { useState, type FormEvent } from 'react'
import type { LocalKeyView, NewLocalKey } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { useOrder } from '../../parts/use-order.ts'

/** Makes a key and shows it, this once. */
export function AddKey({
  first,
  taken,
  onClose,
}: {
  /** there is none yet: with it, programs without one are refused */
  first: boolean
  taken: readonly LocalKeyView[]
  onClose: () => void
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [alias, setAlias] = useState('')
  const { busy, refused, refuse, give } = useOrder()
  const [made, setMade] = useState<NewLocalKey | null>(null)
  const t = w.security
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = alias.trim()
    if (name === '') return refuse(t.nameless)
    if (taken.some((one) => one.alias === name)) return refuse(t.taken)
    const added = await give(() => actions.addLocalKey(name))
    if (added.ok) setMade(added.value)
  }
  if (made)
    return (
      <Dialog title={t.madeTitle(made.alias)} size={560} onClose={onClose}>
        <div className="dialog-form">
          <p>{t.once}</p>
          <CopyLine text={made.key} />
          <p className="meta">{t.howSent}</p>
          <div className="dialog-foot">
            <Button tone="primary" data-autofocus onClick={onClose}>
              {t.done}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.addTitle} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        {first && <p>{t.firstKey}</p>}
        <TextField
          label={t.name}
          hint={t.nameHint}
          maxLength={64}
          data-autofocus
          value={alias}
          problem={refused}
          onChange={(e) => {
            setAlias(e.currentTarget.value)
            refuse(null)
          }}
        />
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" tone="primary" busy={busy} disabled={!live}>
            {t.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
