import { useState } from 'react'
import type { Outcome } from '../control/outcome.ts'

/** One order after the other, and why the last was refused, to be said where it was given. */
export function useOrder() {
  const [busy, setBusy] = useState(false)
  const [refused, refuse] = useState<string | null>(null)
  return {
    busy,
    refused,
    /** says what is wrong before anything is asked; null: nothing any more */
    refuse,
    async give<T>(order: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
      setBusy(true)
      refuse(null)
      const outcome = await order()
      setBusy(false)
      if (!outcome.ok) refuse(outcome.problem.message)
      return outcome
    },
  }
}
