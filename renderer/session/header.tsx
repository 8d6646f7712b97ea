import { failsNow } from '../../shared/asks-for-person.ts'
import { BackButton } from '../sessions/back-button.tsx'
import { Menu } from '@mantine/core'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { commandsOf, keysOf } from '../commands.ts'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { homeShort } from '../parts/home-short.ts'
import { MenuEntry } from '../parts/menu-entry.tsx'
import { RenameInput } from '../sessions/rename-input.tsx'
import { useWide } from '../sessions/use-wide.ts'
import type { SessionView } from '../../shared/state.ts'

export function Header({ session }: { session: SessionView }) {
  const { actions, navigation, machine } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const wide = useWide()
  const renaming = useUi((state) => state.renaming === session.id)
  const offline = useEngine((state) => state.link.kind === 'stopped')
  const shape = offline ? 'gone' : session.shape
  const waits = session.paused || session.stopMessage?.status.kind === 'paused'
  const asked = session.stopMessage?.status.kind === 'paused' && session.stopMessage.status.reason.code !== 'by-user'
  const act = asked ? w.session.continue : waits ? w.session.resume : w.session.pause
  const route =
    session.route && session.route.model !== session.model ? ` → ${session.route.provider}/${session.route.model}` : ''
  const tokens = session.usage.input + session.usage.output
  const facts = [
    homeShort(session.cwd),
    session.model ? `${session.model}${route}` : route.replace(' → ', ''),
    session.turns > 0 ? w.session.turns(session.turns) : '',
    tokens > 0 ? w.session.tokens(f.tokens(tokens)) : '',
    session.unpricedTokens ? '' : (f.cost(session) ?? ''),
  ].filter(Boolean)
  return (
    <header className="d-head">
      <div className="hstack">
        <BackButton />
        {renaming && !wide ? (
          <span className="row-name">
            <RenameInput session={session} />
          </span>
        ) : (
          <h1 className="cut" title={session.name}>
            {session.name}
          </h1>
        )}
        <span className="t3 not-phone">{w.agents[session.client]}</span>
        {machine !== null && (
          <span className="not-phone">
            <MachineMark machine={machine} />
          </span>
        )}
        <span className={`chip is-${shape === 'held' && failsNow(session) ? 'needs' : shape}`}>
          <Shape shape={shape} />
          {offline ? w.session.lastSeen : s.shape(shape)}
        </span>
        <span className="grow" />
        <Button
          does={waits ? 'resume' : 'pause'}
          icon={waits ? 'play' : 'pause'}
          tone={asked ? 'primary' : undefined}
          keys={shortcuts.pauseSession}
          className={asked ? undefined : 'sign'}
          disabled={!live}
          aria-keyshortcuts="P"
          onClick={() => void (waits ? actions.resume(session.id) : actions.pause(session.id))}
        >
          <span>{act}</span>
        </Button>
        <MoreMenu />
      </div>
      <p className="meta facts">
        <span className="phone-only">
          {w.agents[session.client]}
          {machine !== null && ` ${w.machines.on(machine)}`}
        </span>
        {facts.map((fact, i) => (
          <span key={fact} className={i === 0 ? 'cut' : 'dot num'} title={i === 0 ? fact : undefined}>
            {fact}
          </span>
        ))}
        {session.unpricedTokens ? (
          <span className="dot num">
            <button
              type="button"
              className="link"
              title={w.cost.setPrice}
              onClick={() => navigation.go({ view: 'providers' })}
            >
              {f.cost(session)}
            </button>
          </span>
        ) : null}
        <span className="dot" title={f.instant(session.startedAt)}>
          {w.session.started(f.minute(session.startedAt))}
        </span>
      </p>
    </header>
  )
}

/** Everything else one can do with the session; the same list as in the palette. */
function MoreMenu() {
  const app = useApp()
  const words = useWords()
  const { w } = words
  return (
    <Menu>
      <Menu.Target>
        <IconButton icon="more" name={w.session.more} />
      </Menu.Target>
      <Menu.Dropdown aria-label={w.session.more}>
        {commandsOf(app, words)
          .filter((c) => c.group === 'session')
          .map((c) => (
            <MenuEntry key={c.id} icon={c.icon} text={c.name} keys={keysOf(c)} onClick={c.run} />
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
