import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon.tsx'

/** Empty states teach: what this is, one button, one line to copy. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon?: IconName
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="empty">
      {icon && (
        <span className="ring">
          <Icon name={icon} large />
        </span>
      )}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}
