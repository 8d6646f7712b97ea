import { useState, type FormEvent } from 'react'
import { useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { readFragment } from '../state/place.ts'

/** An installed page has no line for an address, and on some phones a storage apart from the browser's. */
export function PasteCode({ open }: { open(fragment: string): void }) {
  const { w } = useWords()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const t = w.phone
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fragment = text.trim().replace(/^[^#]*/, '')
    if (readFragment(fragment).pair === null) setWrong(true)
    else open(fragment)
  }
  return (
    <form className="dialog-form" noValidate onSubmit={submit}>
      <TextField
        label={t.paste}
        value={text}
        problem={wrong ? t.noLink : null}
        autoComplete="off"
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <Button type="submit" tone="primary" disabled={text.trim() === ''}>
        {t.pair}
      </Button>
    </form>
  )
}
