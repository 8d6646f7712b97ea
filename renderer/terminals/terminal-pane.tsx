import { useApp, useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { IconButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { homeShort } from '../parts/home-short.ts'
import { HeldBar } from '../session/terminal/held-bar.tsx'
import { FirstMessage } from './first-message.tsx'
import { TerminalBody } from './terminal-body.tsx'

/** A terminal whose agent has not sent a turn yet. With its first one the session takes over. */
export function TerminalPane({ id }: { id: string }) {
  const { navigation } = useApp()
  const { w, s, f } = useWords()
  const terminal = useEngine((state) => state.terminals.get(id))
  const known = useEngine((state) => state.status !== null)
  if (!terminal) return known ? <Empty icon="term" title={w.empty.goneTitle} text={w.empty.goneText} /> : null
  const shape = terminal.alive ? (terminal.fresh?.shape ?? 'idle') : 'gone'
  return (
    <>
      <header className="d-head" style={{ borderBottom: 0 }}>
        <div className="hstack">
          <IconButton
            icon="left"
            className="narrow-only"
            name={w.session.back}
            onClick={() => navigation.go({ view: 'sessions', selection: null })}
          />
          <h1 className="cut" title={terminal.name}>
            {terminal.name}
          </h1>
          <span className="t3">{w.agents[terminal.client]}</span>
          <span className={`chip is-${shape}`}>
            <Shape shape={shape} />
            {s.shape(shape)}
          </span>
        </div>
        <p className="meta cut">
          <span>{homeShort(terminal.cwd)}</span>
          {terminal.cwd && <span className="dot" />}
          <span>{w.terminal.firstTurn}</span>
          <span className="dot" title={f.instant(terminal.openedAt)}>
            {w.session.started(f.minute(terminal.openedAt))}
          </span>
        </p>
      </header>
      <TerminalBody terminal={terminal} />
      {terminal.fresh && (
        <>
          <HeldBar session={terminal.fresh} terminal={terminal} />
          <FirstMessage session={terminal.fresh} />
        </>
      )}
    </>
  )
}
