import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Empty } from '../parts/empty.tsx'
import { TextField } from '../parts/field.tsx'

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

// Which rows of the settings a search leaves, told in attributes: the rows themselves know nothing of it.

/** What can be left out by itself; more of a section goes with the section. */
const rowsOf =
  '.setting, .set-row, .budget, .notice-classes > li, .tool, .kv > div, .quiet-hours, .local-key, .outside-place, ' +
  '.by-command, section > .switch'

const miss = 'data-miss'

/** @returns how many sections are left */
function findSettings(sections: Iterable<HTMLElement>, query: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string | null) => words.every((word) => (text ?? '').toLowerCase().includes(word))
  let left = 0
  for (const section of sections) {
    const whole = fits(section.getAttribute('aria-label'))
    let any = whole
    for (const row of section.querySelectorAll(rowsOf)) {
      const shown = whole || fits(row.textContent)
      row.toggleAttribute(miss, !shown)
      any ||= shown
    }
    for (const more of section.querySelectorAll('details'))
      if (!whole && more.querySelector(`.setting:not([${miss}])`)) more.open = true
    section.toggleAttribute(miss, !any)
    if (any) left += 1
  }
  return left
}
