import { Button } from './button.tsx'
import type { OperationName } from '../../shared/operations/index.ts'

export interface Answer {
  label: string
  hint?: string
  does: OperationName
  onClick(): void
}

/** The two things a person may answer to a question: first what is most likely meant. `small`: in a row of a list. */
export function TwoAnswers({
  first,
  other,
  live,
  small = false,
}: {
  first: Answer
  other: Answer
  /** the engine can be reached */
  live: boolean
  small?: boolean
}) {
  return (
    <>
      <Button
        does={first.does}
        small={small}
        tone={small ? undefined : 'primary'}
        title={first.hint}
        disabled={!live}
        onClick={first.onClick}
      >
        {first.label}
      </Button>
      <Button does={other.does} small={small} tone="quiet" title={other.hint} disabled={!live} onClick={other.onClick}>
        {other.label}
      </Button>
    </>
  )
}
