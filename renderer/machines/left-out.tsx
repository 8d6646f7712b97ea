import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useApp, useWords, type App } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Ticking } from '../time/ticking.tsx'

interface Line {
  name: string
  text: string
  rest: string
  why?: string
  again?: ReactNode
  late?: boolean
}

interface LeftOutProps {
  apps: readonly App[]
  /** of each of them: null, nothing of it is in what is shown; and why it could not be had */
  answers: readonly { view: unknown; problem?: string | null }[]
}

/** Names the machines that what is shown has nothing of, or nothing new, and says since when and why. */
export function LeftOut({ apps, answers }: LeftOutProps) {
  const { here } = useApp()
  const { w, f } = useWords()
  const machines = useStore(here.engine, (s) => s.machines)
  if (apps.length < 2) return null
  const t = w.machines
  const said = apps.flatMap(({ machine }, i): readonly Line[] => {
    const { view = null, problem = null } = answers[i] ?? {}
    const known = view !== null
    const state = machines.find(({ name }) => name === machine)?.state
    const name = machine ?? t.thisOne
    const rest = known ? t.asThen : t.leftOut
    if (state?.kind === 'away') {
      const { since, seen, why, nextTryAt } = state
      const again = nextTryAt !== null && <Ticking className="num t3" text={(now) => t.again(f.left(nextTryAt, now))} />
      return [{ name, why: why.message, text: seen ? t.away(name, f.minute(since)) : t.notYet(name), rest, again }]
    }
    if (problem !== null) return [{ name, text: t.refused(name, problem), rest }]
    if (known) return []
    // A moment that hardly anybody sees is not worth a line that comes and goes.
    return [{ name, text: state?.kind === 'connecting' ? t.reaching(name) : t.asked(name), rest, late: true }]
  })
  if (said.length === 0) return null
  return (
    <ul className="left-out" aria-label={t.leftOutTitle}>
      {said.map(({ name, text, rest, why, again, late }) => (
        <li key={name} className={late ? 'late' : undefined} title={why}>
          <Shape shape="gone" />
          <span>
            <b>{text}</b> {rest} {again}
          </span>
        </li>
      ))}
    </ul>
  )
}
