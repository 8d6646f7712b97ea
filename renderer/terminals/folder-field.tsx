import { Autocomplete } from '@mantine/core'
import { useEffect, useState, type Ref } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { homeShort } from '../parts/home-short.ts'

/** as many as one looks through; a letter more leaves fewer */
const mostShown = 12

/** A folder, typed and completed, taken from the last ones, or chosen. */
export function FolderField({
  value,
  onChange,
  onPick,
  pickButton,
}: {
  value: string
  onChange: (folder: string) => void
  /** lets the person choose it elsewhere */
  onPick: () => void
  pickButton: Ref<HTMLButtonElement>
}) {
  const { w } = useWords()
  const inside = useCompletions(value)
  const recent = useRecentFolders().filter((path) => !inside.includes(path))
  return (
    <div className="folder-field">
      <Autocomplete
        unstyled
        classNames={{
          root: 'field',
          wrapper: 'input mono',
          dropdown: 'menu recent-folders',
          option: 'menu-item',
          groupLabel: 'menu-head',
        }}
        autoComplete="off"
        spellCheck={false}
        label={w.newTerminal.folder}
        placeholder={w.newTerminal.folderHint}
        value={value}
        onChange={onChange}
        data={[
          ...(inside.length > 0 ? [{ group: w.folder.list, items: [...inside] }] : []),
          ...(recent.length > 0 ? [{ group: w.folder.recent, items: [...recent] }] : []),
        ]}
        limit={mostShown}
        renderOption={({ option }) => <span className="mono cut">{homeShort(option.value)}</span>}
        withScrollArea={false}
        // In the dialog, not beside it: screen readers leave out anything outside.
        comboboxProps={{ transitionProps: { duration: 0 }, withinPortal: false, floatingStrategy: 'fixed' }}
      />
      <Button ref={pickButton} icon="folder" onClick={onPick}>
        {w.folder.pick}
      </Button>
    </div>
  )
}

/** Not missed while they are not there, or where the engine can't say. */
function useRecentFolders(): readonly string[] {
  const { actions } = useApp()
  const live = useLive()
  const [recent, setRecent] = useState<readonly string[]>([])
  useEffect(() => {
    if (!live) return
    let here = true
    void actions
      .ask((c) => c.recentFolders.query())
      .then((outcome) => {
        if (here && outcome.ok) setRecent(outcome.value)
      })
    return () => {
      here = false
    }
  }, [actions, live])
  return recent
}

/** The folders beside what is being typed, written as it is: the list shows those that begin so. */
function useCompletions(value: string): readonly string[] {
  const { actions } = useApp()
  const live = useLive()
  const cut = Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1
  const above = value.slice(0, cut)
  const hidden = value.startsWith('.', cut)
  const [listed, setListed] = useState<{ above: string; paths: readonly string[] }>({ above: '', paths: [] })
  useEffect(() => {
    if (!live || above === '') return
    let here = true
    void actions
      .ask((c) => c.listFolder.query({ path: above, hidden }))
      .then((outcome) => {
        if (here) setListed({ above, paths: outcome.ok ? outcome.value.folders.map((name) => above + name) : [] })
      })
    return () => {
      here = false
    }
  }, [actions, live, above, hidden])
  return listed.above === above ? listed.paths.filter((path) => path !== value) : []
}
