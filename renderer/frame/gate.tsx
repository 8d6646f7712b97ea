import { useWords } from '../app-context.ts'
import { CopyLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'

/** No token: the page can't do anything, so it says how to get in. */
export function Gate() {
  const { w } = useWords()
  return <main className="page"><Empty icon="key" title={w.gate.title} text={w.gate.text}><CopyLine text={w.gate.line} /></Empty></main>
}
