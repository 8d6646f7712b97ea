import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useApp, useSettings, useWords } from '../app-context.ts'
import { listWidths, widthWithin } from '../state/list-width.ts'

const steps: Partial<Record<string, number>> = { ArrowLeft: -16, ArrowRight: 16, Home: -Infinity, End: Infinity }

/** The edge between list and detail: dragged, or moved by arrow keys; a double click puts it back where it was made. */
export function ListEdge() {
  const { settings } = useApp()
  const { w } = useWords()
  const width = useSettings((s) => s.listWidth) ?? listWidths.usual
  const grabbed = useRef<{ x: number; width: number } | null>(null)
  const set = (wanted: number) => settings.setState({ listWidth: widthWithin(wanted, window.innerWidth) })
  const shown = widthWithin(width, window.innerWidth)
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grabbed.current = { x: event.clientX, width: shown }
  }
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) set(shown + step)
    else if (event.key === 'Enter') settings.setState({ listWidth: null })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="list-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={w.list.width}
      aria-valuenow={shown}
      aria-valuemin={listWidths.least}
      aria-valuemax={widthWithin(Infinity, window.innerWidth)}
      title={w.list.widthHint}
      tabIndex={0}
      onPointerDown={grab}
      onPointerMove={({ clientX }) => {
        if (grabbed.current) set(grabbed.current.width + clientX - grabbed.current.x)
      }}
      onLostPointerCapture={() => {
        grabbed.current = null
      }}
      onDoubleClick={() => settings.setState({ listWidth: null })}
      onKeyDown={press}
    />
  )
}
