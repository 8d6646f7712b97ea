import { useEffect, useState } from 'react'
import type { Installation, InstallationChange } from '../../../shared/commands/shell-calls.ts'
import type { ShellInstallation } from '../../control/shell.ts'

export interface InstallationHere {
  /** null: not read yet, or the system does not say */
  now: Installation | null
  /** why the last change was not made */
  trouble: string | null
  busy: boolean
  set(change: (shell: ShellInstallation) => Promise<InstallationChange>): void
}

/** The system's current state: asked again whenever the page is looked at, since it can be changed elsewhere. */
export function useInstallation(shell: ShellInstallation): InstallationHere {
  const [now, setNow] = useState<Installation | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const read = () =>
      shell.installation().then(setNow, (error: unknown) => {
        setTrouble(error instanceof Error ? error.message : String(error))
      })
    void read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [shell])
  return {
    now,
    trouble,
    busy,
    set(change) {
      setBusy(true)
      setTrouble(null)
      change(shell)
        .then(
          ({ now: after, trouble: why }) => {
            setNow(after)
            setTrouble(why)
          },
          (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => setBusy(false))
    },
  }
}
