import { Fragment } from 'react'
import { useCommand } from '../app-context.ts'

/** A sentence whose `backticks` are code, and whose subject, where given, stands out. */
export function Said({ text, subject }: { text: string; subject?: string }) {
  const rest = subject && text.startsWith(subject) ? text.slice(subject.length) : null
  return (
    <>
      {rest === null ? null : <b>{subject}</b>}
      {(rest ?? text)
        .split(/(`[^`]+`)/)
        .map((part, i) => (/^`.+`$/.test(part) ? <code key={i}>{part.slice(1, -1)}</code> : part))}
    </>
  )
}

/** A sentence in which what stands between backticks is what one types; Onward's own command as it is called here. */
export function WithCode({ text }: { text: string }) {
  const command = useCommand()
  return text
    .split('`')
    .map((part, i) =>
      i % 2 === 1 ? (
        <code key={i}>{part.startsWith('onward ') ? command + part.slice('onward'.length) : part}</code>
      ) : (
        <Fragment key={i}>{part}</Fragment>
      ),
    )
}
