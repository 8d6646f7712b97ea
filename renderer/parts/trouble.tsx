import type { ReactNode } from 'react'
import { Shape } from '../icons/shape.tsx'
import type { SessionShape } from '../../shared/words.ts'

/** A failure or question: one shape, one sentence, the facts, the buttons. */
export function Trouble({
  shape,
  title,
  text,
  children,
}: {
  shape: SessionShape
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="err">
      <Shape shape={shape} />
      <div style={{ minWidth: 0 }}>
        <p>
          <b>{title}</b>
        </p>
        {text && <p className="t2">{text}</p>}
        {children}
      </div>
    </div>
  )
}

/** In a line, why an order came to nothing. */
export const Problem = ({ text }: { text: string | null | undefined }) =>
  text ? (
    <p className="meta failed" role="alert">
      {text}
    </p>
  ) : null
