import { useEngine, useWords } from '../app-context.ts'
import { Empty } from '../parts/empty.tsx'

/** In the place of a session or terminal that is not there any more, once the engine has sent what there is. */
export function Gone() {
  const { w } = useWords()
  const known = useEngine((s) => s.status !== null)
  return known ? <Empty icon="search" title={w.empty.goneTitle} text={w.empty.goneText} /> : null
}
