import { useRef, useState, type FormEvent } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { RadioOption, Radios } from '../parts/radios.tsx'
import { presetOf, type ProviderPreset } from '../../shared/config/presets.ts'
import { formOf } from '../providers/add-form.ts'
import type { ModelsOutcome } from './outcome.ts'

const offered = ['zai', 'anthropic', 'openai', 'gemini', 'qwen', 'openrouter', 'deepseek', 'ollama']
  .map(presetOf)
  .filter((preset): preset is ProviderPreset => preset !== null)

/** A preset, a pasted key, one real call. What does not answer is taken away again, unless the person keeps it. */
export function KeyForm({ onDone }: { onDone: (outcome: ModelsOutcome) => void }) {
  const { actions, ui } = useApp()
  const { w, s } = useWords()
  const t = w.firstRun.models
  const live = useLive()
  const taken = useEngine((s) => s.status?.providers.map(({ id }) => id).join(' ') ?? '').split(' ')
  const [preset, setPreset] = useState<ProviderPreset | null>(null)
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ why: string; canKeep: boolean } | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const choose = (next: ProviderPreset | null) => {
    setPreset(next)
    setKey('')
    setProblem(null)
    // One click and one paste: the keyboard stands where the key goes.
    requestAnimationFrame(() => field.current?.focus())
  }
  const add = async (keep: boolean) => {
    if (!preset) return
    const needsKey = preset.auth !== 'none'
    if (needsKey && key.trim() === '') return setProblem({ why: t.emptyKey, canKeep: false })
    setBusy(true)
    setProblem(null)
    const { id } = formOf(preset.id, taken)
    const added = await actions.addProvider({
      id,
      preset: preset.id,
      type: preset.type,
      baseUrl: null,
      auth: needsKey ? 'key' : 'none',
      key: needsKey ? { secret: key.trim() } : null,
      models: [],
    })
    if (!added.ok) {
      setBusy(false)
      return setProblem({ why: t.refused(added.problem.message), canKeep: false })
    }
    const tried = await actions.ask((c) => c.tryProvider.mutate(id))
    if (tried.ok && (keep || tried.value.test.kind === 'answered'))
      return onDone({ kind: 'tried', provider: id, trial: tried.value })
    await actions.ask((c) => c.removeProvider.mutate(id))
    setBusy(false)
    const why = !tried.ok
      ? tried.problem.message
      : tried.value.test.kind === 'failed'
        ? s.notAnswered({ provider: id, test: tried.value.test })
        : ''
    setProblem({ why: t.refused(why), canKeep: tried.ok })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add(false)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Radios className="presets" label={t.provider} value={preset?.id ?? null} onChange={(id) => choose(presetOf(id))}>
        {offered.map((one) => (
          <RadioOption key={one.id} className="pre" value={one.id}>
            <b>{one.name}</b>
            <span className="meta cut">{new URL(one.baseUrl).host}</span>
          </RadioOption>
        ))}
      </Radios>
      {preset && (
        <div className="keyline">
          {preset.auth === 'none' ? (
            <p className="meta grow">{t.local(preset.name)}</p>
          ) : (
            <TextField
              ref={field}
              label={t.key(preset.name)}
              boxClass="mono grow"
              type="password"
              value={key}
              onChange={(e) => {
                setKey(e.currentTarget.value)
                setProblem(null)
              }}
            />
          )}
          <Button type="submit" tone="primary" busy={busy} disabled={!live}>
            {t.test}
          </Button>
        </div>
      )}
      {problem !== null ? (
        <p className="hstack meta failed" role="alert">
          <span>{problem.why}</span>
          {problem.canKeep && (
            <button type="button" className="link meta" onClick={() => void add(true)}>
              {t.keep}
            </button>
          )}
        </p>
      ) : (
        preset && <p className="meta">{t.testNote}</p>
      )}
      <p>
        <button type="button" className="link meta" onClick={() => ui.setState({ dialog: { kind: 'add-provider' } })}>
          {t.other}
        </button>
      </p>
    </form>
  )
}
