import { useRef, useState } from 'react'
import { useWords } from '../app-context.ts'
import { shellChooser } from '../control/shell.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FolderField } from './folder-field.tsx'
import { FolderPicker } from './folder-picker.tsx'

/** A folder outside of a dialog: the picker opens in one of its own. */
export function FolderChoice({ value, onChange }: { value: string; onChange: (folder: string) => void }) {
  const { w } = useWords()
  const [picking, setPicking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const choose = async () => {
    const chooser = shellChooser()
    if (!chooser) return setPicking(true)
    const chosen = await chooser(value.trim())
    if (chosen !== null) onChange(chosen)
  }
  return (
    <>
      <FolderField pickButton={button} value={value} onChange={onChange} onPick={() => void choose()} />
      {picking && (
        <Dialog title={w.folder.title} onClose={() => setPicking(false)}>
          <FolderPicker
            start={value.trim()}
            onBack={() => setPicking(false)}
            onChoose={(path) => {
              onChange(path)
              setPicking(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
