import { useId, type ReactNode, type Ref, type SelectHTMLAttributes } from 'react'
import { Icon } from '../icons/icon.tsx'

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string
  ref?: Ref<HTMLSelectElement>
  children: ReactNode
}

/** A choice of many: the system's own list, so that it works as people know it. */
export function SelectField({ label, children, ...rest }: SelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="input select" aria-disabled={rest.disabled || undefined}>
        <select id={id} {...rest}>
          {children}
        </select>
        <Icon name="down" />
      </span>
    </div>
  )
}
