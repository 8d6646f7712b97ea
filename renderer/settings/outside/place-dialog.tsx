import { useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Switch } from '../../parts/switch.tsx'
import { outsideKinds, type OutsidePlace } from '../../../shared/notifications.ts'
import {
  checkForm,
  formOf,
  someClasses,
  takesToken,
  withClass,
  withKind,
  type PlaceForm,
  type PlaceProblem,
  services,
} from './place-form.ts'
import { noticeClasses } from '../../../shared/notice-classes.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'

/** Adds a place, or changes one. What is secret is not shown again: an empty field leaves it as it is. */
export function PlaceDialog({
  place,
  taken,
  onClose,
  onSaved,
}: {
  place: OutsidePlace | null
  taken: readonly string[]
  onClose: () => void
  onSaved: (name: string) => void
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.outside
  const live = useLive()
  const [form, setForm] = useState<PlaceForm>(() => formOf(place, taken))
  const [problem, setProblem] = useState<PlaceProblem | null>(null)
  const { busy, refused, refuse, give } = useOrder()
  const set = (next: PlaceForm) => {
    setForm(next)
    setProblem(null)
    refuse(null)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = checkForm(form, place, taken)
    if (!checked.ok) return setProblem(checked.problem)
    const saved = await give(() => actions.saveOutside(checked.input))
    if (saved.ok) onSaved(checked.input.name)
  }
  const { kind } = form
  const stays = place?.kind === kind
  return (
    <Dialog title={place ? t.editTitle(place.name) : t.addTitle} size={560} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        <div className="hstack">
          <Segmented
            label={t.kind}
            value={kind}
            options={outsideKinds.map((value) => ({ value, text: services[value].name }))}
            onChange={(next) => set(withKind(form, next, taken))}
          />
        </div>
        <TextField
          label={t.address[kind]}
          {...(stays ? { hint: t.kept } : {})}
          boxClass="mono"
          type="password"
          data-autofocus
          placeholder={services[kind].address}
          value={form.url}
          problem={problem === 'address' ? t.problems.address : null}
          onChange={(e) => set({ ...form, url: e.currentTarget.value })}
        />
        <p className="meta">
          {t.addressHint[kind]} {t.secret}
        </p>
        {takesToken(kind) && (
          <TextField
            label={t.token}
            hint={place?.token && stays ? t.kept : t.tokenHint}
            boxClass="mono"
            type="password"
            disabled={form.forgetToken}
            value={form.token}
            onChange={(e) => set({ ...form, token: e.currentTarget.value })}
          />
        )}
        {place?.token && stays && (
          <Switch checked={form.forgetToken} onChange={(forgetToken) => set({ ...form, forgetToken })}>
            <span>{t.noToken}</span>
          </Switch>
        )}
        <TextField
          label={t.name}
          maxLength={64}
          value={form.name}
          problem={problem === 'name' || problem === 'taken' ? t.problems[problem] : null}
          onChange={(e) => set({ ...form, name: e.currentTarget.value })}
        />
        <div className="hstack">
          <Segmented
            label={t.which}
            value={form.classes === null ? 'all' : 'some'}
            options={[
              { value: 'all', text: t.all },
              { value: 'some', text: t.some },
            ]}
            onChange={(which) => set(someClasses(form, which === 'some'))}
          />
        </div>
        {form.classes !== null && <Classes form={form} onChange={set} />}
        <div>
          <Switch checked={form.texts} onChange={(texts) => set({ ...form, texts })}>
            <span>{t.texts}</span>
          </Switch>
          <p className="meta">{t.textsHint}</p>
        </div>
        <Problem text={refused} />
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" tone="primary" busy={busy} disabled={!live}>
            {place ? t.save : t.saveAndTest}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Which notices are sent there. */
export function Classes({ form, onChange }: { form: PlaceForm; onChange: (form: PlaceForm) => void }) {
  const { w, s } = useWords()
  return (
    <div className="outside-classes" role="group" aria-label={w.outside.which}>
      {noticeClasses.map((kind) => (
        <Checkbox
          key={kind}
          checked={form.classes?.includes(kind) ?? true}
          onChange={(on) => onChange(withClass(form, kind, on))}
        >
          {s.noticeClass(kind)}
        </Checkbox>
      ))}
    </div>
  )
}
