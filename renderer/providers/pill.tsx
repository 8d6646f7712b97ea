import { Popover } from '@mantine/core'
import { useRef, useState, type FormEvent, type KeyboardEvent, type PointerEvent } from 'react'
import { useLive, useMay, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import type { SessionShape } from '../../shared/words.ts'
import type { RoutePool } from '../../shared/routing.ts'
import { parseWeight } from './pool.ts'
import { targetText } from '../../shared/target-text.ts'

export interface PillEdits {
  move(to: number): void
  weigh(weight: number | null): void
  remove(): void
}

interface PillProps {
  entry: RoutePool[number]
  /** name that stays with it while others move */
  id: string
  at: number
  all: number
  /** why it is passed over for now; null: it is not */
  resting: { shape: SessionShape; say: string } | null
  edits: PillEdits
  /** how far it is dragged; null: it is not */
  dragged: { x: number; y: number } | null
  drop: 'before' | 'after' | null
  onGrab(event: PointerEvent<HTMLButtonElement>): void
  hintId: string
}

/** One model of a route: moved with the pointer or Alt and an arrow, weighed and removed in its popover. */
export function Pill({ entry, id, at, all, resting, edits, dragged, drop, onGrab, hintId }: PillProps) {
  const { w } = useWords()
  const t = w.providers
  const mayMove = useMay('saveRoute')
  const live = useLive() && mayMove
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const back = () => {
    setOpen(false)
    button.current?.focus()
  }
  const name = targetText(entry.target)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!live) return
    if (event.altKey && event.key === 'ArrowLeft') edits.move(at - 1)
    else if (event.altKey && event.key === 'ArrowRight') edits.move(at + 1)
    else if (event.key === 'Delete' || event.key === 'Backspace') edits.remove()
    else return
    // Alt and an arrow would lead the browser back or forward.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <li className={['pill-at', drop && `drop-${drop}`].filter(Boolean).join(' ')} data-pill={id}>
      <Popover
        opened={open}
        onChange={setOpen}
        position="bottom-start"
        offset={4}
        shadow="none"
        trapFocus
        withinPortal={false}
        floatingStrategy="fixed"
        transitionProps={{ duration: 80, transition: 'fade' }}
        classNames={{ dropdown: 'pop' }}
      >
        <Popover.Target>
          <button
            ref={button}
            type="button"
            className={['pill', resting && 'skip', dragged && 'dragged'].filter(Boolean).join(' ')}
            style={dragged ? { translate: `${dragged.x}px ${dragged.y}px` } : undefined}
            aria-label={`${t.pill(name, at + 1, all, entry.weight)}${resting ? `. ${resting.say}` : ''}`}
            aria-describedby={hintId}
            title={resting?.say}
            disabled={!live}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              if (!open) onGrab(event)
            }}
            onClick={() => setOpen((was) => !was)}
          >
            <Icon name="grip" />
            {resting && <Shape shape={resting.shape} />}
            <span className="cut">{name}</span>
            {entry.weight !== null && <span className="meta num">× {entry.weight}</span>}
          </button>
        </Popover.Target>
        <Popover.Dropdown
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation()
              back()
            }
          }}
        >
          <PillSettings entry={entry} at={at} all={all} edits={edits} close={() => setOpen(false)} back={back} />
        </Popover.Dropdown>
      </Popover>
    </li>
  )
}

function PillSettings({
  entry,
  at,
  all,
  edits,
  close,
  back,
}: {
  entry: RoutePool[number]
  at: number
  all: number
  edits: PillEdits
  close: () => void
  /** closes and gives the keyboard back to the pill */ back: () => void
}) {
  const { w } = useWords()
  const t = w.providers
  const [text, setText] = useState(entry.weight === null ? '' : String(entry.weight))
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const weight = parseWeight(text)
    if (weight === 'bad') return setProblem(t.badWeight)
    if (weight !== entry.weight) edits.weigh(weight)
    back()
  }
  const act = (edit: () => void) => () => {
    close()
    edit()
  }
  return (
    <form className="pop-form" onSubmit={submit}>
      <p className="mono cut" title={entry.target}>
        {targetText(entry.target)}
      </p>
      <div className="pop-line">
        <TextField
          label={t.weight}
          hint={t.weightHint}
          boxClass="num"
          inputMode="decimal"
          value={text}
          problem={problem}
          autoFocus
          data-autofocus
          onChange={(e) => {
            setText(e.currentTarget.value)
            setProblem(null)
          }}
        />
        <Button type="submit">{w.say.save}</Button>
      </div>
      <p className="meta">{t.weightText}</p>
      <div className="hstack pop-foot">
        <IconButton icon="left" small name={t.earlier} disabled={at === 0} onClick={act(() => edits.move(at - 1))} />
        <IconButton
          icon="right"
          small
          name={t.later}
          disabled={at === all - 1}
          onClick={act(() => edits.move(at + 1))}
        />
        <span className="grow" />
        <Button small tone="danger" onClick={act(edits.remove)}>
          {t.removeModel}
        </Button>
      </div>
    </form>
  )
}
