import { useWords } from '../app-context.ts'

const places = 24

/** The last calls as ticks, oldest first: full = answered, taller and red = failed, low = none yet. */
export function CallStrip({ calls }: { calls: readonly boolean[] }) {
  const { w } = useWords()
  const name = w.providers.calls(calls.length, calls.filter((answered) => !answered).length)
  return (
    <span className="calls" role="img" aria-label={name} title={name}>
      {Array.from({ length: places }, (_, i) => (
        <i key={i} className={calls[i] === undefined ? 'non' : calls[i] ? undefined : 'bad'} />
      ))}
    </span>
  )
}
