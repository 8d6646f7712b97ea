import type { SettingName, SettingView } from '../../../shared/settings.ts'
import { commandWords } from '../../../shared/commands/split-command.ts'
import { joinCommand } from '../../../shared/commands/join-command.ts'
import { useWords } from '../../app-context.ts'
import { ChoiceSetting, SwitchSetting } from './picked-setting.tsx'
import { useSettingView } from './setting-views.tsx'
import { TextSetting } from './text-setting.tsx'
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
