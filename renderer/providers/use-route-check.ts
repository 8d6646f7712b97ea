import { useEffect, useState } from 'react'
import { useApp, useLive } from '../app-context.ts'
import type { ProviderView, RouteAnswer, RouteQuestion, RoutingView } from '../../shared/routing.ts'

/** Typing asks once it pauses. */
const settleMs = 200

export type Checked =
  | { kind: 'asking' }
  | { kind: 'answer'; answer: RouteAnswer }
  | { kind: 'problem'; message: string }

/**
 * Asks where such a request would go: again when the question changes, and when providers or routes do. The last answer
 * stays until the next.
 */
export function useRouteCheck(
  question: RouteQuestion | null,
  providers: readonly ProviderView[],
  routing: RoutingView,
): Checked {
  const { actions } = useApp()
  const live = useLive()
  const [checked, setChecked] = useState<Checked>({ kind: 'asking' })
  const asked = question === null ? null : JSON.stringify(question)
  useEffect(() => {
    if (!live || asked === null) return
    let here = true
    const timer = setTimeout(() => {
      void actions
        .ask((client) => client.routeCheck.query(JSON.parse(asked)))
        .then((outcome) => {
          if (here)
            setChecked(
              outcome.ok
                ? { kind: 'answer', answer: outcome.value }
                : { kind: 'problem', message: outcome.problem.message },
            )
        })
    }, settleMs)
    return () => {
      here = false
      clearTimeout(timer)
    }
  }, [actions, live, asked, providers, routing])
  return checked
}
