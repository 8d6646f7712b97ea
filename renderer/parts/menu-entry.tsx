import { Menu } from '@mantine/core'
import { useMay } from '../app-context.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { Key } from './key.tsx'
import type { OperationName } from '../../shared/operations/index.ts'

interface EntryProps {
  icon?: IconName
  text: string
  title?: string
  keys?: string
  danger?: boolean
  /** as of a button */
  does?: OperationName
  disabled?: boolean
  onClick: () => void
}

export function MenuEntry({ icon, text, title, keys, danger, disabled, does, onClick }: EntryProps) {
  if (!useMay(does)) return null
  return (
    <Menu.Item
      className={danger ? 'danger' : undefined}
      title={title}
      disabled={disabled}
      leftSection={icon && <Icon name={icon} />}
      rightSection={keys && <Key keys={keys} />}
      onClick={onClick}
    >
      {text}
    </Menu.Item>
  )
}

interface ChoiceProps {
  checked: boolean
  /** one of several; else it is switched on and off by itself */ one?: boolean
  text: string
  onClick: () => void
}

export function MenuChoice({ checked, one, text, onClick }: ChoiceProps) {
  const shared = { checked, checkIcon: <Icon name="check" />, onChange: onClick }
  return one ? (
    <Menu.RadioItem value={text} closeMenuOnClick {...shared}>
      {text}
    </Menu.RadioItem>
  ) : (
    <Menu.CheckboxItem closeMenuOnClick={false} {...shared}>
      {text}
    </Menu.CheckboxItem>
  )
}
