import { Tabs } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'

export interface TabShown<T extends string> {
  value: T
  text: string
  /** of the tab; its panel, which stands elsewhere, is named by it */
  id: string
  panel?: string
  keys?: string
  before?: ReactNode
  after?: ReactNode
}

interface TabListProps<T extends string> {
  label: string
  value: T
  tabs: readonly TabShown<T>[]
  onChange: (value: T) => void
}

/** A row of tabs. What they show is drawn elsewhere, and may draw the row anew. */
export function TabList<T extends string>({ label, value, tabs, onChange }: TabListProps<T>) {
  const show = (wanted: string | null) => {
    const tab = tabs.find((one) => one.value === wanted)
    if (tab) onChange(tab.value)
  }
  return (
    <Tabs unstyled classNames={{ root: 'tabs-root', tabLabel: 'tab-text' }} value={value} onChange={show}>
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab
            key={tab.value}
            value={tab.value}
            id={tab.id}
            aria-controls={tab.value === value ? tab.panel : undefined}
            aria-keyshortcuts={tab.keys}
            leftSection={tab.before}
            rightSection={tab.after}
            onKeyDown={focusFollows}
          >
            {tab.text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

/** An arrow key shows the next tab; where that draws the row anew, the focus is put on the new one. */
function focusFollows({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
  const name = currentTarget.parentElement?.getAttribute('aria-label')
  requestAnimationFrame(() => {
    const rows = [...document.querySelectorAll('[role="tablist"]')].filter((row) => row.ariaLabel === name)
    rows[0]?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  })
}
