import { useWords } from '../app-context.ts'
import { Button } from './button.tsx'
import { Trouble } from './trouble.tsx'

/** In the place of a part of the page that could not be loaded. */
export function NotFetched() {
  const { w } = useWords()
  return (
    <div className="pane pad" role="alert">
      <Trouble shape="failed" title={w.onDemand.notFetched} text={w.onDemand.notFetchedHint}>
        <Button onClick={() => window.location.reload()}>{w.onDemand.reload}</Button>
      </Trouble>
    </div>
  )
}
