import type { ReactNode } from 'react'
import { useWords } from '../../app-context.ts'

/** Settings that few people change, out of the way until they are asked for. */
export function More({ children }: { children: ReactNode }) {
  const { w } = useWords()
  return (
    <details className="setting-more">
      <summary>{w.setting.more}</summary>
      {children}
    </details>
  )
}
