import { useCallback, useEffect, useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { homeShort } from '../../parts/home-short.ts'
import type { AdoptablePane } from '../../../shared/setup/adopting.ts'
import type { SessionView } from '../../../shared/state.ts'
import { Problem } from '../../parts/trouble.tsx'

/** Agents in tmux that were started without Onward. They are looked for when this is opened, and when asked again. */
export function AdoptPanes({ session }: { session: SessionView }) {
  const { actions, navigation, ui } = useApp()
  const { w } = useWords()
  const t = w.adopt
  const live = useLive()
  const [panes, setPanes] = useState<readonly AdoptablePane[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const ask = useCallback(() => actions.ask((c) => c.adoptablePanes.query({})), [actions])
  useEffect(() => {
    if (!live) return
    let here = true
    void ask().then((outcome) => {
      if (here && outcome.ok) setPanes(outcome.value)
    })
    return () => {
      here = false
    }
  }, [ask, live])
  const look = async () => {
    const outcome = await ask()
    if (outcome.ok) setPanes(outcome.value)
    return outcome
  }

  const adopt = async ({ socket, paneId, pid }: AdoptablePane) => {
    setBusy(nameOf({ socket, paneId }))
    setProblem(null)
    const outcome = await actions.ask((c) => c.adoptPane.mutate({ socket, paneId, pid }))
    setBusy(null)
    if (outcome.ok) {
      navigation.go({ view: 'sessions', selection: { kind: 'terminal', id: outcome.value.id } })
      return ui.setState({ active: `terminal:${outcome.value.id}` })
    }
    setProblem(outcome.problem.message)
    // what is there now may be something else
    void look()
  }
  const again = async () => {
    const outcome = await look()
    setProblem(outcome.ok ? null : outcome.problem.message)
  }

  if (panes.length === 0 && problem === null) return null
  return (
    <section className="adopt" aria-labelledby="adopt-title">
      <div className="hstack">
        <h3 id="adopt-title" className="grow">
          {t.title}
        </h3>
        <Button tone="quiet" small disabled={!live} onClick={() => void again()}>
          {t.again}
        </Button>
      </div>
      <p className="meta">{t.hint}</p>
      <ul>
        {panes
          .toSorted((a, b) => likeness(b, session) - likeness(a, session))
          .map((pane) => (
            <li key={nameOf(pane)}>
              <span className="vstack">
                <span className="hstack">
                  <span className="cut">{pane.tmuxSession}</span>
                  <span className="t3">{w.agents[pane.client]}</span>
                </span>
                <span className="meta cut" title={`${pane.socket} ${pane.paneId}`}>
                  <span className="mono">{pane.paneId}</span>
                  {pane.cwd !== null && <span className="dot mono">{homeShort(pane.cwd)}</span>}
                </span>
              </span>
              <Button
                small
                aria-label={t.adoptWhich(w.agents[pane.client], pane.tmuxSession, pane.paneId)}
                busy={busy === nameOf(pane)}
                disabled={!live || busy !== null}
                onClick={() => void adopt(pane)}
              >
                {t.adopt}
              </Button>
            </li>
          ))}
      </ul>
      <Problem text={problem} />
    </section>
  )
}

/** The pane of this very session is most likely the one with its agent, in its folder. */
const likeness = (pane: AdoptablePane, { client, cwd }: SessionView): number =>
  (pane.client === client ? 1 : 0) + (cwd !== null && pane.cwd === cwd ? 2 : 0)

const nameOf = ({ socket, paneId }: Pick<AdoptablePane, 'socket' | 'paneId'>): string => `${socket} ${paneId}`
