import { Modal } from '@mantine/core'
import { Command } from 'cmdk'
import { useLayoutEffect, useRef, useState } from 'react'
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Key } from '../parts/key.tsx'
import { useSaid } from '../state/use-said.ts'
import { paletteSections, saidSection, type PaletteEntry } from './palette-entries.ts'

const mostSaid = 8

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

/** The hits and their order are ours; the keyboard and the texts for screen readers are cmdk's. */
function PaletteBody({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const words = useWords()
  const { w } = words
  const early = useUi(({ dialog }) => (dialog?.kind === 'palette' ? dialog.typed : undefined))
  const [typed, setQuery] = useState<string | null>(null)
  const query = typed ?? early ?? ''
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current?.focus()
  }, [])
  useEngine((s) => s.sessions)
  useEngine((s) => s.machines) // the list is made from the stores as they are now
  const said = useSaid(query, null, mostSaid)
  const sections = [...paletteSections(app, words, query), ...saidSection(app, words, query, said)]
  const run = (entry: PaletteEntry) => {
    onClose()
    entry.run()
  }
  return (
    <Command shouldFilter={false} loop vimBindings={false} disablePointerSelection label={w.palette.label}>
      <div className="pal-in">
        <Icon name="search" />
        <Command.Input
          ref={input}
          data-autofocus
          value={query}
          onValueChange={setQuery}
          placeholder={w.palette.placeholder}
        />
      </div>
      {sections.length === 0 ? (
        <p className="pal-empty" role="status">
          {w.palette.nothing}
        </p>
      ) : (
        <Command.List className="pal-list" label={w.palette.label}>
          {sections.map((section) => (
            <Command.Group key={section.name} heading={<div className="pal-head">{section.name}</div>}>
              {section.entries.map((entry) => (
                <Row key={entry.id} entry={entry} onRun={() => run(entry)} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
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
    </Command>
  )
}

const Row = ({ entry, onRun }: { entry: PaletteEntry; onRun: () => void }) => (
  <Command.Item className="pal-item" value={entry.id} onMouseDown={(e) => e.preventDefault()} onSelect={onRun}>
    {entry.shape ? <Shape shape={entry.shape} /> : <Icon name={entry.icon} />}
    <span className="grow cut">
      {entry.parts.map((part, i) => (part.hit ? <u key={i}>{part.text}</u> : part.text))}
    </span>
    {entry.detail && <span className="meta cut">{entry.detail}</span>}
    {entry.keys && <Key keys={entry.keys} />}
  </Command.Item>
)
