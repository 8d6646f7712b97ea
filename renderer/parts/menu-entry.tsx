import { Menu } from '@mantine/core'
import { Icon, type IconName } from '../icons/icon.tsx'
import { Key } from './key.tsx'

interface EntryProps { icon?: IconName; text: string; keys?: string; danger?: boolean; disabled?: boolean; onClick: () => void }

export function MenuEntry({ icon, text, keys, danger, disabled, onClick }: EntryProps) {
  return <Menu.Item className={danger ? 'danger' : undefined} disabled={disabled} leftSection={icon && <Icon name={icon} />} rightSection={keys && <Key keys={keys} />} onClick={onClick}>{text}</Menu.Item>
}

/** An entry that is one of several, or switched on and off. */
export function MenuChoice({ checked, one, text, onClick }: { checked: boolean; one?: boolean; text: string; onClick: () => void }) {
  return <Menu.Item role={one ? 'menuitemradio' : 'menuitemcheckbox'} aria-checked={checked} closeMenuOnClick={one} leftSection={<span className="check">{checked && <Icon name="check" />}</span>} onClick={onClick}>{text}</Menu.Item>
}
