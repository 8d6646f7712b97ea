import { useState } from 'react'
import { useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Heads } from '../../parts/columns.tsx'
import { TextField } from '../../parts/field.tsx'
import type { ListedModel } from '../../../shared/control/provider-edit.ts'
import { hostOf } from '../health.ts'
import { bareModel, type ModelDraft } from './draft.ts'
import { FoundModels } from './found-models.tsx'
import { modelColumns, ModelRow } from './model-row.tsx'
import { pricesOf } from './usual-price.ts'
import type { Fetched } from './use-fetched.ts'
import type { ProviderForm } from './use-provider-form.ts'

/** The provider's models, with the context and prices of each; more from its own list, or by hand. */
export function Models({ form, fetched }: { form: ProviderForm; fetched: Fetched }) {
  const { w, f } = useWords()
  const t = w.providerForm
  const [typed, setTyped] = useState('')
  const { models } = form.draft
  const { state } = fetched
  const columns = modelColumns(pricesOf(form.draft.type, models))
  const listed: readonly ListedModel[] = state?.kind === 'listed' ? state.models : []
  const put = (id: string, change: Partial<ModelDraft>) =>
    form.set({ models: models.map((model) => (model.id === id ? { ...model, ...change } : model)) })
  const add = (more: readonly ModelDraft[]) =>
    form.set({ models: [...models, ...more.filter(({ id }) => !models.some((model) => model.id === id))] })
  const addTyped = () => {
    const ids = typed.split(/[\s,;，、]+/).filter(Boolean)
    if (ids.length > 0) add([...new Set(ids)].map(bareModel))
    setTyped('')
  }
  return (
    <section aria-label={t.models}>
      <h2>
        {t.models}
        {models.length > 0 && <span className="meta">{t.prices}</span>}
        <span className="grow" />
        <Button
          small
          tone="quiet"
          busy={state?.kind === 'running'}
          disabled={!fetched.can}
          title={fetched.can ? undefined : t.saveFirst}
          onClick={fetched.run}
        >
          {state?.kind === 'listed' ? t.fetchAgain : t.fetch}
        </Button>
      </h2>
      {models.length === 0 ? (
        <p className="meta">{t.noModels}</p>
      ) : (
        <div className="m-scroll">
          <table className="m-t">
            <thead>
              <tr>
                <Heads columns={columns} say={t} />
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <ModelRow
                  key={model.id}
                  model={model}
                  listed={listed.find(({ id }) => id === model.id) ?? null}
                  columns={columns}
                  form={form}
                  onPut={(change) => put(model.id, change)}
                  onRemove={() => form.set({ models: models.filter(({ id }) => id !== model.id) })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="m-fetched" role="status">
        {state?.kind === 'running' && <p className="meta">{t.fetching}</p>}
        {state?.kind === 'failed' && <p className="meta failed">{t.fetchFailed(state.message)}</p>}
        {state?.kind === 'listed' && (
          <p className="meta">
            {f.list([
              t.fetched(
                listed.length,
                hostOf(form.base.baseUrl ?? form.base.id),
                listed.filter(({ id }) => !models.some((model) => model.id === id)).length,
              ),
              f.minute(state.at),
            ])}
            {!state.whole && ` ${t.fetchedSome}`}
          </p>
        )}
      </div>
      <FoundModels listed={listed} models={models} onAdd={add} />
      <div className="m-add">
        <TextField
          label={t.addModel}
          hideLabel
          boxClass="mono"
          placeholder={t.addModel}
          maxLength={512}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== 'Enter' || e.nativeEvent.isComposing) return
            e.preventDefault()
            addTyped()
          }}
        />
        <Button disabled={typed.trim() === ''} onClick={addTyped}>
          {t.add}
        </Button>
      </div>
    </section>
  )
}
