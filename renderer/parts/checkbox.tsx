import { Checkbox as MantineCheckbox } from '@mantine/core'
import type { ReactNode } from 'react'

interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

/** One of several that are taken or left. */
export const Checkbox = ({ checked, onChange, children }: CheckboxProps) => (
  <MantineCheckbox
    unstyled
    classNames={{ body: 'check-body', inner: 'check-box', icon: 'check-icon' }}
    checked={checked}
    onChange={(e) => onChange(e.currentTarget.checked)}
    label={children}
  />
)
