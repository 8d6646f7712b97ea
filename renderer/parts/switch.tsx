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
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(e) => onChange(e.currentTarget.checked)}
      />
      <span className="toggle" aria-hidden="true" />
      {children}
    </label>
  )
}
