import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useHeldBack, useMay } from '../app-context.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { Key } from './key.tsx'
import { Tip } from './tip.tsx'
import type { OperationName } from '../../shared/operations/index.ts'

interface Native extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'name'> {
  /**
   * the operation it is there for: where this page may not ask for that, it is not shown, or is off where an engine of
   * a fleet keeps back what it can do
   */
  does?: OperationName
}

/** @returns null: it is not shown */
function useLeave(does: OperationName | undefined): { disabled?: true; title?: string } | null {
  const may = useMay(does)
  const held = useHeldBack(does)
  return may ? {} : held === null ? null : { disabled: true, title: held.replaceAll('`', '') }
}

interface ButtonProps extends Native {
  tone?: 'primary' | 'quiet' | 'danger'
  small?: boolean
  icon?: IconName
  keys?: string
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

export function Button({ tone, small, icon, keys, busy, className, children, disabled, does, ...rest }: ButtonProps) {
  const leave = useLeave(does)
  if (leave === null) return null
  const look = ['btn', tone, small && 's', className].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      {...rest}
      className={look}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      {...leave}
    >
      {icon && <Icon name={icon} />}
      {children}
      {keys && <Key keys={keys} />}
    </button>
  )
}

/** Also as a menu's target: what Mantine hands down goes to the button itself. */
interface IconButtonProps extends Native {
  icon: IconName
  /** what it does, for the tooltip and for screen readers */ name: string
  /** to what, for screen readers: its row says it to everybody else */ about?: string
  keys?: string
  small?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ icon, name, about, keys, small, className, does, ...rest }: IconButtonProps) {
  const leave = useLeave(does)
  if (leave === null) return null
  return (
    <Tip
      label={
        <>
          {name}
          {keys && <Key keys={keys} />}
        </>
      }
    >
      <button
        type="button"
        {...rest}
        className={['btn icon quiet', small && 's', className].filter(Boolean).join(' ')}
        aria-label={about === undefined ? name : `${name}: ${about}`}
        {...leave}
      >
        <Icon name={icon} />
      </button>
    </Tip>
  )
}
