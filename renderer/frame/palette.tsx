import { Modal } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useApp, useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Key } from '../parts/key.tsx'
import { paletteSections, type PaletteEntry } from './palette-entries.ts'

const listId = 'palette-list'

/** Commands and sessions by a few letters. It is there at once: the letters typed after Ctrl K are already for it. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { w } = useWords()
  return (
    <Modal.Root
      opened
      size={600}
      yOffset="14vh"
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      classNames={{ content: 'pal' }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
      <Modal.Content aria-label={w.palette.label}>
        <PaletteBody onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const words = useWords()
  const { w } = words
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current?.focus()
  }, [])
  useEngine((s) => s.sessions) // the list is made from the stores as they are now
  const sections = paletteSections(app, words, query)
  const entries = sections.flatMap((section) => section.entries)
  const current = Math.min(selected, entries.length - 1)
  const run = (entry: PaletteEntry | undefined) => {
    onClose()
    entry?.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || entries.length === 0) return
    const to = {
      ArrowDown: (current + 1) % entries.length,
      ArrowUp: (current - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    }[event.key]
    if (to !== undefined) setSelected(to)
    else if (event.key === 'Enter') run(entries[current])
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="pal-in">
        <Icon name="search" />
        <input
          ref={input}
          data-autofocus
          value={query}
          onChange={(e) => {
            setQuery(e.currentTarget.value)
            setSelected(0)
          }}
          onKeyDown={onKeyDown}
          placeholder={w.palette.placeholder}
          aria-label={w.palette.label}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `palette-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {entries.length === 0 ? (
        <p className="pal-empty" role="status">
          {w.palette.nothing}
        </p>
      ) : (
        <div className="pal-list" id={listId} role="listbox" aria-label={w.palette.label} tabIndex={-1}>
          {sections.map((section) => (
            <div key={section.name} role="group" aria-label={section.name}>
              <div className="pal-head" role="presentation">
                {section.name}
              </div>
              {section.entries.map((entry) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  index={entries.indexOf(entry)}
                  selected={entry === entries[current]}
                  onRun={() => run(entry)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      <div className="pal-foot meta" aria-hidden="true">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd>
          {w.palette.choose}
        </span>
        <span>
          <kbd>Enter</kbd>
          {w.palette.run}
        </span>
        <span className="right">
          <kbd>Esc</kbd>
          {w.palette.close}
        </span>
      </div>
    </>
  )
}

function Row({
  entry,
  index,
  selected,
  onRun,
}: {
  entry: PaletteEntry
  index: number
  selected: boolean
  onRun: () => void
}) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <button
      type="button"
      tabIndex={-1}
      ref={row}
      className="pal-item"
      id={`palette-${index}`}
      role="option"
      aria-selected={selected}
      data-selected={selected || undefined}
      onMouseDown={(e) => e.preventDefault()}
      onClick={onRun}
    >
      {entry.shape ? <Shape shape={entry.shape} /> : <Icon name={entry.icon} />}
      <span className="grow cut">
        {entry.parts.map((part, i) => (part.hit ? <u key={i}>{part.text}</u> : part.text))}
      </span>
      {entry.detail && <span className="meta cut">{entry.detail}</span>}
      {entry.keys && <Key keys={entry.keys} />}
    </button>
  )
}
