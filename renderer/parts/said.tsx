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
