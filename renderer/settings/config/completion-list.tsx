import { useLayoutEffect, useRef, type CSSProperties } from 'react'
import { useWords } from '../../app-context.ts'
import type { Completion } from './complete.ts'

/** What fits at the caret, and what the chosen one is about. The keyboard stays with the text. */
export function CompletionList({
  items,
  chosen,
  take,
  style,
}: {
  items: readonly Completion[]
  chosen: number
  take: (item: Completion) => void
  style: CSSProperties
}) {
  const { w } = useWords()
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const item = items[chosen]
  const t = w.config
  useLayoutEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [items])
  return (
    <div ref={box} className="code-menu" style={style}>
      <ul ref={list} id="config-completion" role="listbox" aria-label={t.completion}>
        {items.map((one, i) => (
          <li
            key={one.label}
            id={`config-completion-${i}`}
            role="option"
            aria-selected={i === chosen}
            className="mono"
            // before the text loses the focus, which would close the list
            onMouseDown={(event) => {
              event.preventDefault()
              take(one)
            }}
          >
            {one.label}
          </li>
        ))}
      </ul>
      {item && (
        <div className="code-about meta">
          {item.type !== '' && <b className="mono">{item.type}</b>}
          {item.about !== null && <span>{item.about}</span>}
          {item.fallback !== null && <span>{t.fallback(item.fallback)}</span>}
          <span className="t3">{t.completionHint}</span>
        </div>
      )}
    </div>
  )
}
