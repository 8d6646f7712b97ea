import { Switch as MantineSwitch } from '@mantine/core'
import type { ReactNode } from 'react'

interface SwitchProps {
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

/** On or off, with its words beside it. */
export function Switch({ checked, disabled, onChange, children }: SwitchProps) {
  return (
    <MantineSwitch
      unstyled
      classNames={{ root: 'switch', track: 'toggle', thumb: 'toggle-thumb', body: 'switch-body' }}
      checked={checked}
      disabled={disabled}
      onChange={(e) => onChange(e.currentTarget.checked)}
      label={children}
    />
  )
}
