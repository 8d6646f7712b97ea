import type { CSSProperties, ReactElement } from 'react'
import type { SessionShape } from '../../shared/words.ts'

/** State has a shape and a colour; the same set in list, timeline and chips (tray and notifications use glyphs). */
const shapes = {
  working: <circle cx="8" cy="8" r="5" />,
  needs: <path d="m8 1.75 6.25 6.25L8 14.25 1.75 8z" />,
  held: (
    <path
      fillRule="evenodd"
      d="M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5zm0 1.5v7.5a3.75 3.75 0 0 0 0-7.5z"
    />
  ),
  idle: (
    <path
      fillRule="evenodd"
      d="M8 2.75a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5zm0 1.5a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5z"
    />
  ),
  done: (
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      d="m3.25 8.5 3.25 3.25 6.25-7"
    />
  ),
  failed: <path d="M7.13 2.5a1 1 0 0 1 1.74 0l5.4 9.5a1 1 0 0 1-.87 1.5H2.6a1 1 0 0 1-.87-1.5z" />,
  paused: (
    <>
      <rect x="3.5" y="3" width="3" height="10" rx=".75" />
      <rect x="9.5" y="3" width="3" height="10" rx=".75" />
    </>
  ),
  gone: <circle cx="8" cy="8" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 2.5" />,
} satisfies Record<SessionShape, ReactElement>

/** With a name it speaks to screen readers; without one it is decorative (the word stands beside it). */
export function Shape({ shape, name }: { shape: SessionShape; name?: string }) {
  return (
    <svg
      className={`st is-${shape}`}
      style={{ '--fill': `var(--${shape}-fill)` } as CSSProperties}
      viewBox="0 0 16 16"
      {...(name ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    >
      {shapes[shape]}
    </svg>
  )
}
