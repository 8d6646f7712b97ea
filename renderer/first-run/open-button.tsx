import { useApp, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'

/** Leads back into the first steps, from wherever there is nothing to see yet. */
export function OpenFirstRun({ tone }: { tone?: 'primary' }) {
  const { navigation } = useApp()
  const { w } = useWords()
  return (
    <Button does="useAccess" tone={tone} onClick={() => navigation.go({ view: 'setup' })}>
      {w.firstRun.open}
    </Button>
  )
}
