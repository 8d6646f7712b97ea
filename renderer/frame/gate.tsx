import { useWords } from '../app-context.ts'
import { CopyLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'

/** Without a token the engine takes, the page can't do anything, so it says how to get in. */
export function Gate({ token }: { token: 'none' | 'wrong' }) {
  const { w } = useWords()
  const wrong = token === 'wrong'
  return (
    <main className="page">
      <Empty
        icon="key"
        title={wrong ? w.gate.refusedTitle : w.gate.title}
        text={wrong ? w.gate.refusedText : w.gate.text}
      >
        <CopyLine text={w.gate.line} />
      </Empty>
    </main>
  )
}
