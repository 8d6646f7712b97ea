import { Menu } from '@mantine/core'
import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { TextField } from '../parts/field.tsx'
import { MenuChoice } from '../parts/menu-entry.tsx'
import type { FinishKind } from '../../shared/events.ts'
import type { TurnRecord } from '../../shared/state.ts'
import { providersOf, type TurnFilter } from './table-rows.ts'

export function Filters({
  turns,
  filter,
  note,
  onChange,
}: {
  turns: readonly TurnRecord[]
  filter: TurnFilter
  note: string
  onChange: (filter: TurnFilter) => void
}) {
  const { w, s } = useWords()
  // A choice stays in its menu even when its last turn is gone.
  const providers = [
    ...new Set([...turns.flatMap(providersOf), ...(filter.provider === null ? [] : [filter.provider])]),
  ].toSorted()
  const ends = [
    ...new Set([...turns.map((turn) => turn.finish), ...(filter.end === null ? [] : [filter.end])]),
  ].toSorted()
  return (
    <div className="t-filter">
      <TextField
        boxClass="filter-input"
        label={w.activity.filterLabel}
        hideLabel
        before={<Icon name="search" />}
        placeholder={w.activity.filter}
        value={filter.text}
        onChange={(e) => onChange({ ...filter, text: e.currentTarget.value })}
      />
      <Pick
        label={w.activity.provider}
        any={w.activity.anyProvider}
        chosen={filter.provider}
        options={providers.map((id) => ({ id, text: id }))}
        onPick={(provider) => onChange({ ...filter, provider })}
      />
      <Pick<FinishKind>
        label={w.activity.end}
        any={w.activity.anyEnd}
        chosen={filter.end}
        options={ends.map((id) => ({ id, text: s.finish(id) }))}
        onPick={(end) => onChange({ ...filter, end })}
      />
      <span className="grow" />
      <span className="meta num cut">{note}</span>
    </div>
  )
}

/** A chip that opens its choices; accent while something is chosen. */
function Pick<T extends string>({
  label,
  any,
  chosen,
  options,
  onPick,
}: {
  label: string
  any: string
  chosen: T | null
  options: readonly { id: T; text: string }[]
  onPick: (id: T | null) => void
}) {
  const text = options.find((option) => option.id === chosen)?.text
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={`chip plain pick${chosen === null ? '' : ' is-working'}`}
          aria-label={text === undefined ? any : `${label}: ${text}`}
        >
          {text ?? any}
          <Icon name="down" />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <MenuChoice one checked={chosen === null} text={any} onClick={() => onPick(null)} />
        {options.length > 0 && <Menu.Divider />}
        {options.map((option) => (
          <MenuChoice
            key={option.id}
            one
            checked={option.id === chosen}
            text={option.text}
            onClick={() => onPick(option.id)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
