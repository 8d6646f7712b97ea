import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { routeCategories, type RouteCategory } from '../../../shared/config/names.ts'
import type { RoutePlace } from '../../../shared/control/provider-edit.ts'
import { added } from '../pool.ts'
import type { ProviderForm } from './use-provider-form.ts'

/** Those that most people mean; the others stand in a menu. */
const usual: readonly RouteCategory[] = ['default', 'background', 'review']

interface StepProps {
  form: ProviderForm
  places: readonly RoutePlace[]
  say: (said: string) => void
  /** of one that was added just now: it may stay out */
  onLeaveOut?: () => void
}

/** The routes that send to it, and a way into more of them; a provider in none shows that. */
export function RouteStep({ form, places, say, onLeaveOut }: StepProps) {
  const { w } = useWords()
  const t = w.providerForm
  const { models } = form.draft
  if (places.length === 0)
    return (
      <div className="rt" role="group" aria-label={t.inRoutes}>
        {models.length === 0 ? (
          <span>{t.needsModel}</span>
        ) : (
          <>
            <span className="strong">{onLeaveOut ? t.inNoneAdd : t.inNone}</span>
            <Adder form={form} places={places} say={say} lead={onLeaveOut ? null : t.alsoAdd} />
          </>
        )}
        <span className="grow" />
        {onLeaveOut && (
          <Button small tone="quiet" onClick={onLeaveOut}>
            {t.leaveOut}
          </Button>
        )}
      </div>
    )
  return (
    <section aria-label={t.inRoutes}>
      <h2>{t.inRoutes}</h2>
      <div className="in-r">
        <ul className="in-r">
          {places.map(({ category, model, at, of }) => (
            <li key={`${category} ${at}`} className="chip plain">
              {category} <span className="t3">{model}</span> <span className="t3">{t.place(at, of)}</span>
            </li>
          ))}
        </ul>
        {models.length > 0 && <Adder form={form} places={places} say={say} lead={t.alsoAdd} />}
      </div>
    </section>
  )
}

/** A model and the routes it is not in yet. What was typed is saved first: the route names what the config has. */
function Adder({ form, places, say, lead }: Omit<StepProps, 'onLeaveOut'> & { lead: string | null }) {
  const { actions, ui } = useApp()
  const { w, s } = useWords()
  const t = w.providerForm
  const live = useLive()
  const routing = useEngine((state) => state.routing)
  const [wanted, setWanted] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { models } = form.draft
  const model = models.find(({ id }) => id === wanted)?.id ?? models[0]?.id
  if (model === undefined || !routing) return null
  const free = routeCategories.filter(
    (category) => !places.some((place) => place.category === category && place.model === model),
  )
  const add = async (category: RouteCategory) => {
    setBusy(true)
    if (await form.save()) {
      const id = ui.getState().providerForm?.id ?? form.base.id
      const target = `${id}.${model}`
      if (await actions.saveRoute({ category, pool: [...added(routing.routes[category] ?? [], target)] }))
        say(t.addedTo(`${id}/${model}`, category))
    }
    setBusy(false)
  }
  const near = usual.filter((category) => free.includes(category))
  const others = free.filter((category) => !usual.includes(category))
  return (
    <span className="in-r">
      {lead !== null && <span className="meta">{lead}</span>}
      {models.length === 1 ? (
        <span className="mono">{model}</span>
      ) : (
        <SelectField
          label={t.which}
          hideLabel
          boxClass="rt-model"
          value={model}
          onChange={(e) => setWanted(e.currentTarget.value)}
        >
          {models.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
      )}
      <span>{t.to}</span>
      {near.map((category) => (
        <Button
          key={category}
          small
          busy={busy}
          disabled={!live}
          title={s.category(category)}
          onClick={() => void add(category)}
        >
          {category}
        </Button>
      ))}
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button small tone="quiet" icon="plus" disabled={!live || busy}>
              {t.otherRoute}
            </Button>
          </Menu.Target>
          <Menu.Dropdown aria-label={t.otherRoute}>
            {others.map((category) => (
              <MenuEntry
                key={category}
                text={`${category}, ${s.category(category)}`}
                onClick={() => void add(category)}
              />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  )
}
