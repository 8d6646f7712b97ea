import { useState } from 'react'
import { useApp } from '../../app-context.ts'

/** Puts the last config that was right back; the wrong text is kept beside it, and its path is shown. */
export function usePutBack(): { undo: () => void; busy: boolean } {
  const { actions } = useApp()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    await actions.putBackConfig()
    setBusy(false)
  }
  return { undo: () => void undo(), busy }
}
