import { useState } from 'react'
import type { Outcome } from '../control/outcome.ts'

/** One order after the other, and why the last was refused, to be said where it was given. */
export interface Order {
  busy: boolean
  refused: string | null
  give(order: () => Promise<Outcome<unknown>>): Promise<boolean>
}

export function useOrder(): Order {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  return {
    busy,
    refused,
    async give(order) {
      setBusy(true)
      setRefused(null)
      const outcome = await order()
      setBusy(false)
      if (!outcome.ok) setRefused(outcome.problem.message)
      return outcome.ok
    },
  }
}
