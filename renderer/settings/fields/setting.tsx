import { startTransition, useOptimistic, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Input } from '../../../shared/operations/index.ts'
import type { SettingName, SettingView } from '../../../shared/settings.ts'
import { commandWords } from '../../../shared/commands/split-command.ts'
import { joinCommand } from '../../../shared/commands/join-command.ts'
import { useWords, useApp, useLive } from '../../app-context.ts'
import { IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Switch } from '../../parts/switch.tsx'
import { useSettingView } from './setting-views.tsx'
import { factorOf, numberText, readNumber, type Misread, type Unit } from './units.ts'

/** One setting of the config, as its schema describes it. With another value from elsewhere it begins anew. */
export function Setting({ name, unit }: { name: SettingName; unit?: Unit }) {
  const view = useSettingView(name)
  if (!view) return null
  const key = `${name} ${JSON.stringify(view.value)}`
  switch (view.kind) {
    case 'number':
      return <NumberSetting key={key} view={view} unit={unit ?? 'seconds'} />
    case 'boolean':
      return <SwitchSetting key={key} view={view} />
    case 'choice':
      return <ChoiceSetting key={key} view={view} />
    case 'list':
      return name === 'stopMessage.review.command' ? (
        <CommandSetting key={key} view={view} />
      ) : (
        <ListSetting key={key} view={view} />
      )
    case 'text':
      return <PlainSetting key={key} view={view} />
  }
}

/** A default in these units is shown without its unit, which a default of one would need in the singular. */
const counted: ReadonlySet<Unit> = new Set(['rounds', 'calls', 'answers', 'results', 'times', 'characters'])

function NumberSetting({ view, unit }: { view: SettingView; unit: Unit }) {
  const { w } = useWords()
  const t = w.setting
  const factor = factorOf(view.name, unit)
  const textOf = (value: SettingView['value']) => numberText(Number(value), factor)
  const say = (misread: Misread): string =>
    misread.kind === 'no-number'
      ? t.noNumber
      : misread.kind === 'whole'
        ? t.notWhole
        : t.range(misread.min === null ? null : numberText(misread.min, 1), misread.above, misread.max, t.units[unit])
  return (
    <TextSetting
      view={view}
      shown={textOf(view.value)}
      usual={counted.has(unit) ? textOf(view.default) : `${textOf(view.default)} ${t.units[unit]}`}
      unit={t.units[unit]}
      read={(text) => {
        const found = readNumber(text, view, factor)
        return 'misread' in found ? { problem: say(found.misread) } : found
      }}
    />
  )
}

const itemsOf = (value: SettingView['value']): readonly string[] => (Array.isArray(value) ? value : [])

function ListSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const t = w.setting
  const usual = itemsOf(view.default)
  return (
    <TextSetting
      view={view}
      wide
      shown={itemsOf(view.value).join(', ')}
      usual={usual.length === 0 ? t.none : usual.join(', ')}
      placeholder={t.none}
      read={(text) => {
        const items = text.split(/[\s,，、;；]+/).filter((item) => item !== '')
        return { value: items.length === 0 ? null : items }
      }}
    />
  )
}

function CommandSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const t = w.setting
  return (
    <TextSetting
      view={view}
      wide
      shown={joinCommand(itemsOf(view.value))}
      usual={t.none}
      placeholder="codex exec -"
      read={(text) => {
        const words = commandWords(text)
        if (words === null) return { problem: t.openQuote }
        return { value: words.length === 0 ? null : words.map((word) => word.text) }
      }}
    />
  )
}

function PlainSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const t = w.setting
  const isTarget = view.name === 'stopMessage.review.model'
  const usual = isTarget ? t.byRoute : typeof view.default === 'string' ? view.default : t.none
  return (
    <TextSetting
      view={view}
      wide
      shown={typeof view.value === 'string' ? view.value : ''}
      usual={usual}
      placeholder={usual}
      read={(text) => {
        const value = text.trim()
        if (value === '') return { value: null }
        return !isTarget || /^[^./,\s]+[./,]\S+$/.test(value) ? { value } : { problem: t.noTarget }
      }}
    />
  )
}

function SwitchSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const live = useLive()
  const [on, change] = usePicked(view, view.value === true)
  const t = w.setting
  const label = t.names[view.name]
  const wordOf = (on: boolean) => (on ? w.settings.on : w.settings.off)
  return (
    <SettingRow
      view={view}
      usual={wordOf(view.default === true)}
      changed={isChanged(view)}
      head={
        <Switch checked={on} disabled={!live} onChange={(next) => change(next, t.saved(label, wordOf(next)))}>
          <span>{label}</span>
        </Switch>
      }
    />
  )
}

function ChoiceSetting({ view }: { view: SettingView }) {
  const { w } = useWords()
  const [chosen, change] = usePicked(view, String(view.value))
  const t = w.setting
  const label = t.names[view.name]
  const words: Readonly<Record<string, string>> = t.choices
  const wordOf = (choice: string) => words[choice] ?? choice
  return (
    <SettingRow view={view} usual={wordOf(String(view.default))} changed={isChanged(view)}>
      <Segmented
        label={label}
        value={chosen}
        options={view.choices.map((choice) => ({ value: choice, text: wordOf(choice) }))}
        onChange={(next) => change(next, t.saved(label, wordOf(next)))}
      />
    </SettingRow>
  )
}

/** It stands where it was put while the engine is asked, and goes back when it refuses. */
function usePicked<T extends boolean | string>(view: SettingView, value: T): [T, (next: T, said: string) => void] {
  const { actions } = useApp()
  const [shown, show] = useOptimistic(value)
  return [
    shown,
    (next, said) =>
      startTransition(async () => {
        show(next)
        await actions.pickSetting(view, next, said)
      }),
  ]
}

type ReadText = (text: string) => { value: Input<'setSetting'>['value'] } | { problem: string }

/** One setting that is written: kept with Enter or when it is left, put back with Escape. */
function TextSetting({
  view,
  shown,
  usual,
  placeholder,
  unit,
  wide,
  read,
}: {
  view: SettingView
  /** its value as a person writes it */
  shown: string
  usual: string
  placeholder?: string
  unit?: string
  wide?: boolean
  read: ReadText
}) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [text, setText] = useState(shown)
  const [problem, setProblem] = useState<string | null>(null)
  /** on its way, or there already: Enter, and the field that loses the focus when the new value comes, ask once */
  const asked = useRef(shown)
  const t = w.setting
  const label = t.names[view.name]
  const save = async () => {
    if (text.trim() === asked.current) return setProblem(null)
    const found = read(text)
    if ('problem' in found) return setProblem(found.problem)
    setProblem(null)
    const before = asked.current
    asked.current = text.trim()
    const said = found.value === null ? usual : [text.trim(), unit].filter(Boolean).join(' ')
    const outcome = await actions.setSetting(view, found.value, t.saved(label, said))
    if (outcome.ok) return
    asked.current = before
    setProblem(outcome.problem.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setText(shown)
    setProblem(null)
  }
  return (
    <SettingRow view={view} usual={usual} wide={wide} changed={isChanged(view)}>
      <TextField
        label={unit === undefined ? label : f.list([label, unit])}
        hideLabel
        inputMode={view.kind === 'number' ? 'decimal' : undefined}
        placeholder={placeholder}
        boxClass={view.kind === 'number' ? 'num' : undefined}
        after={unit === undefined ? undefined : <span className="meta">{unit}</span>}
        value={text}
        problem={problem}
        disabled={!live}
        onChange={(e) => setText(e.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
    </SettingRow>
  )
}

/** Other than it is by itself. */
function isChanged({ value, default: usual }: SettingView): boolean {
  if (!Array.isArray(value) || !Array.isArray(usual)) return value !== usual
  return value.length !== usual.length || value.some((one, i) => one !== usual[i])
}

/** A setting's name, its input, its default, and the way back to that. */
function SettingRow({
  view,
  usual,
  changed,
  wide,
  head,
  children,
}: {
  view: SettingView
  /** its default in words */
  usual: string
  changed: boolean
  wide?: boolean
  /** in the place of its name, where that is the input's own label */
  head?: ReactNode
  children?: ReactNode
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const t = w.setting
  const label = t.names[view.name]
  const hint = t.hints[view.name]
  return (
    <div className={wide ? 'setting wide' : 'setting'}>
      <div>
        {head ?? <span aria-hidden="true">{label}</span>}
        <span className="meta">{[hint, t.usual(usual)].filter(Boolean).join(' ')}</span>
      </div>
      {children ?? <span />}
      <span className="setting-back">
        {changed && (
          <IconButton
            icon="undo"
            small
            name={t.back(label)}
            disabled={!live}
            onClick={() => void actions.pickSetting(view, null, t.saved(label, usual))}
          />
        )}
      </span>
    </div>
  )
}
