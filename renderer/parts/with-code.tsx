import { Fragment } from 'react'
import { useCommand } from '../app-context.ts'

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
