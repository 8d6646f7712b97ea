import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Empty } from '../parts/empty.tsx'
import { TextField } from '../parts/field.tsx'
import { findSettings } from './find-settings.ts'

/** All sections one below the other; beside them their list, and a search in their words. */
export function Sections({ children }: { children: ReactNode }) {
  const { w } = useWords()
  const t = w.settings
  const box = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [names, setNames] = useState<readonly string[]>([])
  const [found, setFound] = useState(1)
  const [at, setAt] = useState<string | null>(null)
  // Sections come and go with what the engine tells: what is listed is read from what stands there.
  useEffect(() => {
    const look = () => {
      const sections = sectionsIn(box.current)
      setFound(findSettings(sections, query))
      const shown = sections.filter((section) => !section.hasAttribute('data-miss')).map(nameOf)
      setNames((before) => (before.join('\n') === shown.join('\n') ? before : shown))
    }
    look()
    const watch = new MutationObserver(look)
    if (box.current) watch.observe(box.current, { childList: true })
    return () => watch.disconnect()
  }, [query])
  const show = (name: string) => {
    const section = sectionsIn(box.current).find((one) => nameOf(one) === name)
    section?.scrollIntoView()
    setAt(name)
  }
  const follow = (scroller: HTMLElement) => {
    const top = scroller.getBoundingClientRect().top + 48
    const passed = sectionsIn(box.current).findLast((section) => section.getBoundingClientRect().top <= top)
    setAt(passed ? nameOf(passed) : null)
  }
  const current = at ?? names[0]
  return (
    <div className="set-page">
      <nav className="set-list" aria-label={t.sections}>
        <TextField
          label={t.search}
          hideLabel
          placeholder={t.search}
          before={<Icon name="search" />}
          value={query}
          onChange={(e) => setQuery(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== 'Escape' || query === '') return
            e.stopPropagation()
            setQuery('')
          }}
        />
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                className="set-to cut"
                aria-current={name === current ? 'true' : undefined}
                onClick={() => show(name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="scroll" onScroll={(e) => follow(e.currentTarget)}>
        <div ref={box} className="settings">
          {children}
        </div>
        {found === 0 && <Empty icon="search" title={t.searchNone(query)} />}
      </div>
    </div>
  )
}

const sectionsIn = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>(':scope > section') ?? []),
]
const nameOf = (section: HTMLElement): string => section.getAttribute('aria-label') ?? ''
