import { useEffect, useRef, useState, type FormEvent } from 'react'
import { AppContext, appOf, useApp, useEngine, useLive, useOfAll, useWords } from '../app-context.ts'
import { WhereField } from '../machines/where-field.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { ProviderType } from '../../shared/config/schema.ts'
import {
  checkForm,
  firstPreset,
  formOf,
  presetGroups,
  type AddField,
  type AddForm,
  type AddProblems,
} from './add-form.ts'
import { openForm } from './edit/open-form.ts'

/** Adds a provider to the config; its row opens then, with a test and the way into a route. */
export function AddProvider({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const { w } = useWords()
  const all = useOfAll()
  const [machine, setMachine] = useState(app.machine)
  const there = appOf(app.here, { machine: machine ?? undefined })
  return (
    <Dialog title={w.providers.addTitle} size={560} onClose={onClose}>
      <AppContext value={there}>
        {all && <WhereField onMachine={setMachine} />}
        <AddForms
          onClose={onClose}
          onAdded={(id) => {
            onClose()
            app.ui.setState({ providerForm: openForm(id, machine, true) })
            if (!all) there.navigation.go({ view: 'providers' })
          }}
        />
      </AppContext>
    </Dialog>
  )
}

/** The engine's refusals that belong beside a field. */
const fieldOf: Readonly<Record<string, AddField>> = { 'provider-exists': 'id' }

function AddForms({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.providers
  const live = useLive()
  const providers = useEngine((s) => s.providers)
  const taken = (providers ?? []).map(({ id }) => id)
  const [form, setForm] = useState<AddForm>(() => formOf(firstPreset(taken), taken))
  const [problems, setProblems] = useState<AddProblems>({})
  const [refused, setRefused] = useState<{ field: AddField | null; message: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  // The first field that is wrong gets the keyboard.
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems, refused])
  const set = (change: Partial<AddForm>) => {
    setForm((all) => ({ ...all, ...change }))
    setProblems({})
    setRefused(null)
  }
  const said = (field: AddField): string | null => {
    const problem = problems[field]
    return refused?.field === field ? refused.message : problem === undefined ? null : t.problems[field][problem]
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = checkForm(form, taken)
    if (!checked.ok) return setProblems(checked.problems)
    setBusy(true)
    const outcome = await actions.addProvider(checked.input)
    setBusy(false)
    if (outcome.ok) return onAdded(checked.input.id)
    setRefused({
      field: outcome.problem.code === null ? null : (fieldOf[outcome.problem.code] ?? null),
      message: outcome.problem.message,
    })
  }
  const protocols = Object.keys(t.protocols).filter(
    (type): type is Exclude<ProviderType, 'simulator'> => type in t.protocols,
  )
  return (
    <form ref={element} className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
      <PresetField
        value={form.preset}
        onChange={(preset) => {
          setForm(formOf(preset, taken, form))
          setProblems({})
          setRefused(null)
        }}
      />
      {form.preset === null ? (
        <div className="add-two">
          <SelectField
            label={t.protocol}
            value={form.type}
            onChange={(e) => set({ type: protocols.find((type) => type === e.currentTarget.value) ?? form.type })}
          >
            {protocols.map((type) => (
              <option key={type} value={type}>
                {t.protocols[type]}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t.url}
            boxClass="mono"
            inputMode="url"
            placeholder="https://"
            value={form.baseUrl}
            problem={said('baseUrl')}
            onChange={(e) => set({ baseUrl: e.currentTarget.value })}
          />
        </div>
      ) : (
        <p className="meta add-url cut" title={form.baseUrl}>
          {form.type === 'simulator' ? '' : t.protocols[form.type]}, <span className="mono">{form.baseUrl}</span>
        </p>
      )}
      <TextField
        label={t.id}
        boxClass="mono"
        maxLength={64}
        value={form.id}
        problem={said('id')}
        onChange={(e) => set({ id: e.currentTarget.value })}
      />
      <AuthFields form={form} said={said} onChange={set} />
      <TextField
        label={t.models}
        hint={t.modelsHint}
        boxClass="mono"
        placeholder={t.modelsPlaceholder}
        value={form.models}
        onChange={(e) => set({ models: e.currentTarget.value })}
      />
      {refused && refused.field === null && (
        <p className="meta failed" role="alert">
          {refused.message}
        </p>
      )}
      <div className="dialog-foot">
        <Button tone="quiet" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button type="submit" tone="primary" busy={busy} disabled={!live}>
          {t.addAndTest}
        </Button>
      </div>
    </form>
  )
}

function PresetField({ value, onChange }: { value: string | null; onChange: (preset: string | null) => void }) {
  const t = useWords().w.providers
  return (
    <SelectField
      label={t.preset}
      value={value ?? ''}
      data-autofocus
      onChange={(e) => onChange(e.currentTarget.value || null)}
    >
      {(['hosted', 'local'] as const).map((group) => (
        <optgroup key={group} label={t[group]}>
          {presetGroups[group].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
      <optgroup label={t.own}>
        <option value="">{t.ownEntry}</option>
      </optgroup>
    </SelectField>
  )
}

interface AuthProps {
  form: AddForm
  /** what is wrong with a field */
  said: (field: AddField) => string | null
  onChange: (change: Partial<AddForm>) => void
}

function AuthFields({ form, said, onChange }: AuthProps) {
  const t = useWords().w.providers
  const auths = (['secret', 'env', 'client', 'none'] as const).map((value) => ({ value, text: t.auths[value] }))
  const hints = { secret: t.secretHint, env: t.envHint, client: t.clientHint, none: t.noneHint }
  return (
    <div className="add-auth">
      <Segmented label={t.auth} value={form.auth} options={auths} onChange={(auth) => onChange({ auth })} />
      {form.auth === 'secret' && (
        <TextField
          label={t.secret}
          hideLabel
          boxClass="mono grow"
          type="password"
          placeholder={t.secret}
          value={form.secret}
          problem={said('secret')}
          onChange={(e) => onChange({ secret: e.currentTarget.value })}
        />
      )}
      {form.auth === 'env' && (
        <TextField
          label={t.env}
          hideLabel
          boxClass="mono grow"
          placeholder="API_KEY"
          value={form.env}
          problem={said('env')}
          onChange={(e) => onChange({ env: e.currentTarget.value })}
        />
      )}
      <p className="meta">{hints[form.auth]}</p>
    </div>
  )
}
