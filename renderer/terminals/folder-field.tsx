import { Autocomplete } from '@mantine/core'
import { useEffect, useState, type Ref } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { homeShort } from '../parts/home-short.ts'

/** A folder, typed, taken from the last ones, or chosen. */
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
  const recent = useRecentFolders()
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
        data={recent.length > 0 ? [{ group: w.folder.recent, items: [...recent] }] : []}
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
