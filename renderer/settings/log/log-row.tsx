import { useApp, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { IconButton } from '../../parts/button.tsx'
import type { LogLine } from './read-line.ts'

const shapes = { warn: 'needs', error: 'failed' } as const

interface LogRowProps {
  line: LogLine
  index: number
  top: number
  measure: (element: HTMLElement | null) => void
}

export function LogRow({ line, index, top, measure }: LogRowProps) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const { level, at, message, facts, raw } = line
  const t = w.logs
  return (
    <li ref={measure} data-index={index} className={level} style={{ transform: `translateY(${top}px)` }}>
      <time title={at === null ? undefined : f.instant(at)}>{at === null ? '' : f.time(at)}</time>
      <span className="log-level">
        {(level === 'warn' || level === 'error') && <Shape shape={shapes[level]} />}
        {t.level1[level]}
      </span>
      <span className="log-text">
        {message} <span className="log-facts">{facts}</span>
      </span>
      <IconButton icon="copy" small name={t.copyLine} onClick={() => void actions.copy(raw, w.say.copied)} />
    </li>
  )
}
