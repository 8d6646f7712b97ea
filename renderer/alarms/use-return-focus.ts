import { useEffect, useRef } from 'react'

/** Where the keyboard goes when what it was at has gone: a list whose row stood there. */
export const alarmListId = 'alarm-list'

/** When this goes, the keyboard goes back to where it came from, unless a person put it elsewhere. */
export function useReturnFocus(): void {
  const before = useRef(document.activeElement)
  useEffect(
    () => () => {
      const from = before.current
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const target =
          from instanceof HTMLElement && from.isConnected && from !== document.body
            ? from
            : document.getElementById(alarmListId)
        target?.focus()
      })
    },
    [],
  )
}
