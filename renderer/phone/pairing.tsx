import { useState, type FormEvent } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { TextField } from '../parts/field.tsx'

/** What a browser shows that was opened by a pairing code: it asks before it gets a key. */
export function Pairing({ pair }: { pair(name: string): Promise<string | null> }) {
  const { w } = useWords()
  const { origin } = useApp()
  const [first] = useState(() => deviceName(navigator.userAgent))
  const [name, setName] = useState(first)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.phone
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(await pair(name.trim() || first))
    setBusy(false)
  }
  return (
    <main className="page pairing">
      <Empty icon="key" title={t.pairThis} text={t.pairThisText(origin)}>
        <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
          <TextField
            label={t.name}
            maxLength={64}
            value={name}
            problem={problem}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Button type="submit" tone="primary" busy={busy}>
            {t.pair}
          </Button>
        </form>
      </Empty>
    </main>
  )
}

/** What a phone is called before its person calls it something else. */
function deviceName(userAgent: string): string {
  const known = /iPhone|iPad|Android|Macintosh|Windows|Linux/.exec(userAgent)?.[0]
  return known === 'Macintosh' ? 'Mac' : (known ?? 'Browser')
}
