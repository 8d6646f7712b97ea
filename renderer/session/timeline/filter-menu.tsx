import { Menu } from '@mantine/core'
import { useApp, useUi, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
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
    <>
      <Find />
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
    </>
  )
}

/** Words that are looked for in what is loaded of the timeline; “Load older events” brings more. */
function Find() {
  const { ui } = useApp()
  const { w } = useWords()
  const query = useUi((s) => s.timelineQuery)
  const close = () => ui.setState({ timelineQuery: null })
  if (query === null)
    return <IconButton icon="search" small name={w.timeline.find} onClick={() => ui.setState({ timelineQuery: '' })} />
  return (
    <TextField
      boxClass="tl-find"
      label={w.timeline.find}
      hideLabel
      placeholder={w.timeline.find}
      before={<Icon name="search" />}
      value={query}
      autoFocus
      onChange={(e) => ui.setState({ timelineQuery: e.currentTarget.value })}
      onBlur={() => query === '' && close()}
      onKeyDown={(e) => {
        if (e.key !== 'Escape') return
        e.stopPropagation()
        close()
      }}
    />
  )
}
