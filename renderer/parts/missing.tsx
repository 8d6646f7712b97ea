import { useAway, useWords } from '../app-context.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { Trouble } from './trouble.tsx'

const usual = [
  ['60%', '40%'],
  ['50%', '46%'],
  ['64%', '30%'],
] as const

interface MissingProps {
  loading: string
  rows?: Parameters<typeof SkeletonRows>[0]['rows']
  failed: string
  /** null: it is waited for */ problem: string | null
  disabled?: boolean
  onRetry: () => void
}

/** In the place of data that is not here: grey rows while it comes; why it did not, and a way to ask again. */
export function Missing({ loading, rows = usual, failed, problem, disabled, onRetry }: MissingProps) {
  const { w } = useWords()
  const away = useAway()
  if (away !== null) return <Empty icon="server" title={w.machines.notKnown} text={w.machines.notKnownText(away)} />
  if (problem === null) return <SkeletonRows label={loading} rows={rows} />
  return (
    <div className="pad">
      <Trouble shape="failed" title={failed} text={problem}>
        <div className="hstack">
          <Button disabled={disabled} onClick={onRetry}>
            {w.say.retry}
          </Button>
        </div>
      </Trouble>
    </div>
  )
}
