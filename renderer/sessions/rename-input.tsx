import { useEffect, useRef, useState } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { TextField } from '../parts/field.tsx'
import type { SessionView } from '../../shared/state.ts'

/** Renaming in place: Enter keeps, Esc leaves, losing the focus keeps. */
export function RenameInput({ session }: { session: SessionView }) {
  const { ui, actions } = useApp()
  const { w } = useWords()
  const [name, setName] = useState(session.name)
  const input = useRef<HTMLInputElement>(null)
  const left = useRef(false)
  useEffect(() => {
    input.current?.select()
  }, [])
  const finish = (keep: boolean) => {
    if (left.current) return
    left.current = true
    ui.setState({ renaming: null })
    const next = name.trim()
    if (keep && next !== '' && next !== session.name) void actions.rename(session.id, next)
  }
  return (
    <span onClick={(e) => e.stopPropagation()} onDoubleClick={(e) => e.stopPropagation()}>
      <TextField
        ref={input}
        label={w.session.nameOf(session.name)}
        hideLabel
        value={name}
        maxLength={200}
        onChange={(e) => setName(e.currentTarget.value)}
        onBlur={() => finish(true)}
        onKeyDown={(e) => {
          e.stopPropagation()
          if (e.nativeEvent.isComposing) return
          if (e.key === 'Enter') finish(true)
          else if (e.key === 'Escape') finish(false)
        }}
      />
    </span>
  )
}
