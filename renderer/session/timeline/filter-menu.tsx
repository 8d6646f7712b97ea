import { Menu } from '@mantine/core'
import { useApp, useUi, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { MenuChoice } from '../../parts/menu-entry.tsx'

export function TimelineFilterMenu() {
  const { ui } = useApp()
  const { w } = useWords()
  const filter = useUi((s) => s.timelineFilter)
  const choices = [
    ['all', w.timeline.all],
    ['asides', w.timeline.asides],
    ['automation', w.timeline.automation],
    ['problems', w.timeline.problems],
  ] as const
  return (
    <Menu>
      <Menu.Target>
        <Button tone="quiet" small icon="filter">
          {choices.find(([id]) => id === filter)?.[1]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={w.timeline.filter}>
        {choices.map(([id, text]) => (
          <MenuChoice
            key={id}
            one
            checked={id === filter}
            text={text}
            onClick={() => ui.setState({ timelineFilter: id })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
