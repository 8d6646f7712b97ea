import { useEffect, useState } from 'react'
import { useApp, useEngine, useUi } from '../../app-context.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import { changeOf, fieldAt, problemsOf, type Draft, type FieldId, type FieldProblem } from './draft.ts'
import { heard, isChanged, openForm, overtaken, startOn, type Loaded } from './open-form.ts'

interface Refusal {
  /** null: it is about none of the fields */
  field: FieldId | null
  message: string
}

export interface ProviderForm extends Loaded {
  added: boolean
  changed: boolean
  overtaken: boolean
  busy: boolean
  set(change: Partial<Draft>): void
  /** what is wrong with a field: found here, or refused by the engine */
  problemOf(field: FieldId): FieldProblem | { said: string } | null
  refused: string | null
  /** counts saves that came to nothing: the first field that is wrong gets the keyboard then */
  failed: number
  /** @returns true if the config has the form's values by now */
  save(): Promise<boolean>
  /** drops what was typed for what the config says now */
  loadLatest(): void
}

/** The open form of this provider; `problem`: why there is nothing to show yet. */
export function useProviderForm(provider: ProviderView): { form: ProviderForm | null; problem: string | null } {
  const { actions, ui, machine } = useApp()
  const open = useUi((s) => s.providerForm)
  const providers = useEngine((s) => s.providers)
  const savedAt = useEngine((s) => s.routing?.savedAt)
  const routes = useEngine((s) => s.routing?.routes)
  const [problem, setProblem] = useState<string | null>(null)
  const [problems, setProblems] = useState<ReadonlyMap<FieldId, FieldProblem>>(new Map())
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(0)
  const { id, type, baseUrl, auth, keys, models } = provider
  // Health and calls change all the time; these only when the config does.
  const says = JSON.stringify([
    savedAt,
    routes,
    type,
    baseUrl,
    auth,
    keys.map(({ alias, from }) => [alias, from]),
    models,
  ])
  useEffect(() => {
    let here = true
    void actions
      .ask((c) => c.providerDetails.query(id))
      .then((outcome) => {
        if (!here) return
        setProblem(outcome.ok ? null : outcome.problem.message)
        const now = ui.getState().providerForm
        if (outcome.ok && now?.id === id && now.machine === machine)
          ui.setState({ providerForm: heard(now, outcome.value) })
      })
    return () => {
      here = false
    }
  }, [actions, ui, machine, id, says])

  const loaded = open?.id === id && open.machine === machine ? open.loaded : null
  if (!open || !loaded) return { form: null, problem }
  const { base, latest, draft } = loaded
  const put = (next: Loaded) => {
    ui.setState({ providerForm: { ...open, loaded: next } })
    setProblems(new Map())
    setRefusal(null)
  }
  const wrong = (found: ReadonlyMap<FieldId, FieldProblem>, said: Refusal | null): false => {
    setProblems(found)
    setRefusal(said)
    setFailed((n) => n + 1)
    return false
  }
  async function save(): Promise<boolean> {
    const taken = (providers ?? []).map((one) => one.id)
    const found = problemsOf(draft, base, taken)
    if (found.size > 0) return wrong(found, null)
    const change = changeOf(draft, base)
    if (!change) return true
    setBusy(true)
    const outcome = await actions.updateProvider(change)
    setBusy(false)
    if (!outcome.ok) {
      const { field, message } = outcome.problem
      return wrong(new Map(), { field: field ? fieldAt(field, draft) : null, message })
    }
    ui.setState((s) =>
      s.providerForm?.id === id
        ? { providerForm: { ...s.providerForm, id: outcome.value.id, loaded: startOn(outcome.value) } }
        : {},
    )
    return true
  }
  return {
    problem,
    form: {
      base,
      latest,
      draft,
      added: open.added,
      changed: isChanged(loaded),
      overtaken: overtaken(loaded),
      busy,
      set: (change) => put({ base, latest, draft: { ...draft, ...change } }),
      problemOf: (field) => (refusal?.field === field ? { said: refusal.message } : (problems.get(field) ?? null)),
      refused: refusal?.field === null ? refusal.message : null,
      failed,
      save,
      loadLatest: () => put(startOn(latest)),
    },
  }
}

/** Opens, changes over and closes; edits in a form that closes can be taken back for a while. */
export function useOpenForm(): { opened: string | null; open(id: string): void; close(): void } {
  const { ui, actions, machine } = useApp()
  const opened = useUi(({ providerForm }) => (providerForm?.machine === machine ? providerForm.id : null))
  const leave = (next: ReturnType<typeof openForm> | null) => {
    const before = ui.getState().providerForm
    ui.setState({ providerForm: next })
    if (before?.loaded && isChanged(before.loaded))
      actions.dropped(before.id, () => ui.setState({ providerForm: before }))
  }
  return {
    opened,
    open: (id) => {
      if (id !== opened) leave(openForm(id, machine))
    },
    close: () => leave(null),
  }
}
