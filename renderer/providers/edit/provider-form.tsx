import { useEffect, useRef, useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { SkeletonRows } from '../../parts/skeleton.tsx'
import type { ProviderType } from '../../../shared/config/names.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import type { Tests } from '../use-tests.ts'
import type { Draft } from './draft.ts'
import { Keys } from './key-rows.tsx'
import { Models } from './models.tsx'
import { useProblemText } from './problem-text.ts'
import { RouteStep } from './route-step.tsx'
import { useFetched } from './use-fetched.ts'
import { useProviderForm, type ProviderForm } from './use-provider-form.ts'
import { Problem } from '../../parts/trouble.tsx'

interface FormProps {
  provider: ProviderView
  tests: Tests
  onClose: () => void
}

/** A provider edited in its place: saved in one write. One that was added just now begins with the routes. */
export function ProviderEdit(props: FormProps) {
  const { w } = useWords()
  const { form, problem } = useProviderForm(props.provider)
  const t = w.providerForm
  if (form) return <Form {...props} form={form} />
  return (
    <div className="p-form">
      {problem === null ? (
        <SkeletonRows label={t.loading(props.provider.id)} rows={[['40%', '60%']]} />
      ) : (
        <Problem text={problem} />
      )}
    </div>
  )
}

function Form({ provider, tests, onClose, form }: FormProps & { form: ProviderForm }) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.providerForm
  const live = useLive()
  const element = useRef<HTMLFormElement>(null)
  const [all, setAll] = useState(!form.added)
  const [said, say] = useState('')
  const fetched = useFetched(provider.id, form)
  const { id } = form.base
  const places = form.latest.routes
  const routes = new Set(places.map(({ category }) => category)).size
  useFocus(element, form.failed)
  // Problems must be seen.
  const shown = all || form.failed > 0
  const remove = async () => {
    if (await actions.removeProvider(id, routes)) onClose()
  }
  return (
    <form
      ref={element}
      className="p-form"
      aria-label={form.added ? t.lastStep(id) : t.editOf(id)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.save()
      }}
      onKeyDown={(event) => {
        // Menus hang outside of the form and close by themselves.
        if (event.key !== 'Escape' || !element.current?.contains(event.target as Node)) return
        event.stopPropagation()
        onClose()
      }}
    >
      {form.added && <RouteStep form={form} places={places} say={say} onLeaveOut={onClose} />}
      {shown && <Address form={form} />}
      {form.draft.auth === 'key' && form.base.via === undefined && (
        <Keys provider={provider} form={form} tests={tests} />
      )}
      <Models form={form} fetched={fetched} />
      {!form.added && <RouteStep form={form} places={places} say={say} />}
      {form.overtaken && (
        <div className="rt" role="alert">
          <span>{t.changedElsewhere}</span>
          <span className="grow" />
          <Button small onClick={form.loadLatest}>
            {t.loadAgain}
          </Button>
        </div>
      )}
      <Problem text={form.refused} />
      <div className="p-end">
        <Button tone="danger" disabled={!live} onClick={() => void remove()}>
          {t.removeOf(id)}
        </Button>
        <span className="meta cut">{t.removeHint(routes)}</span>
        <span className="grow" />
        {!shown && <Button onClick={() => setAll(true)}>{t.all}</Button>}
        {form.changed ? (
          <>
            <Button tone="quiet" keys="Esc" onClick={onClose}>
              {w.providers.cancel}
            </Button>
            <Button type="submit" tone="primary" busy={form.busy} disabled={!live}>
              {t.save}
            </Button>
          </>
        ) : (
          <Button tone={form.added ? 'primary' : undefined} keys="Esc" onClick={onClose}>
            {t.done}
          </Button>
        )}
      </div>
      <div className="sr" role="status">
        {said}
      </div>
    </form>
  )
}

function Address({ form }: { form: ProviderForm }) {
  const { w } = useWords()
  const t = w.providerForm
  const textOf = useProblemText(form)
  const { draft, set } = form
  const protocols = Object.keys(w.providers.protocols).filter(
    (type): type is Exclude<ProviderType, 'simulator'> => type in w.providers.protocols,
  )
  return (
    <div className="f4">
      <TextField
        label={t.name}
        boxClass="mono"
        maxLength={64}
        data-first
        value={draft.name}
        problem={textOf('name')}
        onChange={(e) => set({ name: e.currentTarget.value })}
      />
      <SelectField
        label={w.providers.protocol}
        value={draft.type}
        onChange={(e) => set({ type: protocols.find((type) => type === e.currentTarget.value) ?? draft.type })}
      >
        {protocols.map((type) => (
          <option key={type} value={type}>
            {w.providers.protocols[type]}
          </option>
        ))}
      </SelectField>
      {form.base.via === undefined && <Access form={form} />}
    </div>
  )
}

/** What another engine has of a provider that is reached through it. */
function Access({ form }: { form: ProviderForm }) {
  const { w } = useWords()
  const t = w.providerForm
  const textOf = useProblemText(form)
  const { draft, set } = form
  const accesses = ['key', 'client', 'none'] as const
  return (
    <>
      <SelectField
        label={t.access}
        value={draft.auth}
        onChange={(e) => set({ auth: accesses.find((auth): auth is Draft['auth'] => auth === e.currentTarget.value) })}
      >
        {accesses.map((auth) => (
          <option key={auth} value={auth}>
            {t.accesses[auth]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={w.providers.url}
        boxClass="mono"
        inputMode="url"
        maxLength={2048}
        value={draft.baseUrl}
        problem={textOf('baseUrl')}
        onChange={(e) => set({ baseUrl: e.currentTarget.value })}
      />
    </>
  )
}

/** The keyboard comes into the form as it opens, and to the first field that is wrong. */
function useFocus(element: { current: HTMLFormElement | null }, failed: number): void {
  useEffect(() => {
    const wrong = failed > 0 ? element.current?.querySelector<HTMLElement>('[aria-invalid]') : null
    const first = failed > 0 ? wrong : element.current?.querySelector<HTMLElement>('[data-first], button')
    first?.focus()
    element.current?.scrollIntoView({ block: 'nearest' })
  }, [element, failed])
}
