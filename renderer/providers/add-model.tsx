import { Combobox, Popover, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { useLive, useWords } from '../app-context.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import type { ProviderView, RoutePool } from '../../shared/routing.ts'
import { parseTarget, providerOf } from './pool.ts'
import { targetText } from '../../shared/target-text.ts'

interface AddModelProps {
  route: string
  pool: RoutePool
  providers: readonly ProviderView[]
  opened: boolean
  onOpen: (opened: boolean) => void
  onAdd: (target: string) => void
}

/** The + of a route: one of the known models, or any other by its name. */
export function AddModel({ route, pool, providers, opened, onOpen, onAdd }: AddModelProps) {
  const { w } = useWords()
  const live = useLive()
  const name = w.providers.addModel(route)
  return (
    <Popover
      opened={opened}
      onChange={onOpen}
      position="bottom-end"
      offset={4}
      shadow="none"
      trapFocus
      withinPortal={false}
      floatingStrategy="fixed"
      transitionProps={{ duration: 80, transition: 'fade' }}
      classNames={{ dropdown: 'pop' }}
    >
      <Popover.Target>
        <IconButton
          does="saveRoute"
          icon="plus"
          small
          name={name}
          disabled={!live}
          data-add={route}
          onClick={() => onOpen(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown
        aria-label={name}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onOpen(false)
            event.currentTarget.parentElement?.querySelector<HTMLElement>('[data-add]')?.focus()
          }
        }}
      >
        <Choices
          pool={pool}
          providers={providers}
          onAdd={(target) => {
            onOpen(false)
            onAdd(target)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Choices({ pool, providers, onAdd }: Pick<AddModelProps, 'pool' | 'providers' | 'onAdd'>) {
  const { w } = useWords()
  const t = w.providers
  const list = useCombobox({ opened: true, loop: false })
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const words = text
    .toLowerCase()
    .split(/[\s./,]+/)
    .filter(Boolean)
  const known = providers
    .flatMap(({ id, models }) => models.map((model) => `${id}.${model.id}`))
    .filter(
      (target) =>
        !pool.some((entry) => entry.target === target) && words.every((word) => target.toLowerCase().includes(word)),
    )
  const submit = () => {
    const target = parseTarget(text)
    if (target === null) return setProblem(t.badModel)
    if (!providers.some(({ id }) => id === providerOf(target))) return setProblem(t.noSuchProvider(providerOf(target)))
    if (pool.some((entry) => entry.target === target)) return setProblem(t.alreadyThere)
    onAdd(target)
  }
  return (
    <Combobox unstyled store={list} onOptionSubmit={onAdd}>
      <div className="pop-form">
        <div className="pop-line">
          <Combobox.EventsTarget withExpandedAttribute>
            <TextField
              label={t.model}
              hideLabel
              boxClass="mono"
              placeholder={t.modelPlaceholder}
              value={text}
              problem={problem}
              maxLength={512}
              autoFocus
              data-autofocus
              aria-autocomplete="list"
              onChange={(e) => {
                setText(e.currentTarget.value)
                setProblem(null)
                list.resetSelectedOption()
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing || list.getSelectedOptionIndex() >= 0) return
                event.preventDefault()
                submit()
              }}
            />
          </Combobox.EventsTarget>
          <Button onClick={submit}>{t.addTyped}</Button>
        </div>
        <Combobox.Options className="pop-list" aria-label={t.knownModels}>
          {known.map((target) => (
            <Combobox.Option key={target} value={target}>
              {targetText(target)}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </div>
    </Combobox>
  )
}
