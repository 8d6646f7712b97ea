import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'

interface RadiosProps<T extends string> {
  /** what is chosen, for screen readers */
  label: string
  /** null: nothing yet */
  value: T | null
  onChange: (value: T) => void
  className: string
  children: ReactNode
}

/** A choice whose possibilities need more room than a word each. */
export const Radios = <T extends string>({ label, children, ...rest }: RadiosProps<T>) => (
  <Radio.Group<T> unstyled label={label} labelProps={{ className: 'sr' }} {...rest}>
    {children}
  </Radio.Group>
)

/** One of them: the whole of it can be clicked. `className` says how it looks. */
export const RadioOption = ({
  value,
  className,
  children,
}: {
  value: string
  className: string
  children: ReactNode
}) => (
  <Radio
    unstyled
    classNames={{ root: `option ${className}`, inner: 'option-dot', icon: 'option-icon' }}
    value={value}
    label={children}
  />
)
