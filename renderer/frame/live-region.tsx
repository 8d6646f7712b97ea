import { useEngine, useWords } from '../app-context.ts'

/** Speaks when a session comes to need a person, fails or is done; never countdowns or progress. */
export function LiveRegion() {
  const { w, s } = useWords()
  const transitions = useEngine((state) => state.transitions)
  const said = transitions.map((t) => {
    const say = s.say(t.say, 0)
    switch (t.shape) {
      case 'needs':
        return w.say.becameNeeds(t.name, say)
      case 'failed':
        return w.say.becameFailed(t.name, say)
      case 'done':
        return w.say.becameDone(t.name, say)
    }
  })
  return (
    <div className="sr" aria-live="polite" role="log">
      {said.map((text, i) => (
        <p key={`${i}${text}`}>{text}</p>
      ))}
    </div>
  )
}
