import { Menu } from '@mantine/core'
import { useMemo } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { OpenTerminalButton } from '../open-terminal-button.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import { Offered } from '../../parts/offered.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { TestLine } from '../../providers/test-line.tsx'
import { useTests } from '../../providers/use-tests.ts'
import { Ticking } from '../../time/ticking.tsx'
import { targetText } from '../../../shared/target-text.ts'
import { withoutTried } from '../../../shared/setup/tried.ts'
import type { FailedAttempt, FailedTurn, SessionView } from '../../../shared/state.ts'
import { standIns } from '../outage/stand-ins.ts'

/**
 * A failed turn: since when, what was tried for it, what happens now, and what a person can do.
 *
 * @param retries the agent still tries again by itself
 */
export function TurnFailedCard({
  session,
  said,
  retries = false,
}: {
  session: SessionView
  said: FailedTurn
  retries?: boolean
}) {
  const { actions, ui } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const tests = useTests()
  const waits = session.paused || session.stopMessage?.status.kind === 'paused'
  const armed = session.stopMessage?.status.kind === 'armed'
  const then = retries
    ? w.card.turnFailedRetries
    : waits
      ? w.card.turnFailedPaused
      : said.goesOn
        ? w.card.sentence(s.goesOn(said.goesOn))
        : armed
          ? w.card.turnFailedArmed
          : w.card.turnFailedText
  const { tried, provider } = said
  const asked = [...new Set(tried.map((one) => one.provider))]
  const results = (provider === null ? asked : [provider, ...asked.filter((id) => id !== provider)]).flatMap((id) => {
    const test = tests.of(id)
    return test ? [{ id, test }] : []
  })
  return (
    <Trouble
      shape={retries || (said.goesOn && !waits) ? 'needs' : 'failed'}
      title={
        retries
          ? w.card.failsNow(provider ?? tried.at(-1)?.provider ?? null, f.minute(said.since))
          : tried.length === 0
            ? w.card.turnFailedTitle
            : w.card.noProvider
      }
      text={retries ? w.card.triedSoFar(said.tries, then) : w.card.failsSince(f.minute(said.since), said.tries, then)}
    >
      {tried.length > 0 && (
        <ul className="tried meta">
          {tried.map((attempt, i) => (
            <Attempt key={i} attempt={attempt} />
          ))}
        </ul>
      )}
      <p className="quote">{withoutTried(said.message) || s.say({ code: 'turn-failed', ...said }, 0)}</p>
      {provider !== null && <Now provider={provider} />}
      {results.map(({ id, test }) => (
        <div key={id} className="meta" role="status">
          {results.length > 1 && `${id}: `}
          <TestLine test={test} />
        </div>
      ))}
      <div className="hstack">
        {retries && asked.length > 0 && (
          <Button
            does="testProvider"
            tone="primary"
            disabled={!live}
            title={w.card.retryNowHint}
            onClick={() => tests.run(asked)}
          >
            {w.card.retryNow}
          </Button>
        )}
        {!retries && (waits || armed) && (
          <Button
            does="resume"
            tone="primary"
            disabled={!live}
            onClick={() => void (waits ? actions.resume(session.id) : actions.startGoal(session.id))}
          >
            {w.session.continue}
          </Button>
        )}
        {said.goesOn && (
          <Button does="setRecover" disabled={!live} onClick={() => void actions.setRecover(session.id, false)}>
            {w.card.goesOnOff}
          </Button>
        )}
        <Offered to="setOutage">
          <WaysOut session={session} tried={tried} />
        </Offered>
        {provider !== null && !retries && (
          <Button
            does="testProvider"
            disabled={!live}
            busy={tests.of(provider)?.kind === 'running'}
            title={w.providers.testHint}
            onClick={() => tests.run([provider])}
          >
            {w.providers.testOf(provider)}
          </Button>
        )}
        <OpenTerminalButton session={session} />
        <Button
          does="addProvider"
          tone="quiet"
          disabled={!live}
          onClick={() => ui.setState({ dialog: { kind: 'add-provider' } })}
        >
          {w.providers.add}
        </Button>
      </div>
    </Trouble>
  )
}

function Attempt({ attempt: { provider, model, keyAlias, code } }: { attempt: FailedAttempt }) {
  const { w, s } = useWords()
  const target = w.activity.attempt(targetText(`${provider}.${model}`), keyAlias)
  return (
    <li>
      <Shape shape="failed" name={s.shape('failed')} />
      <span title={target}>{target}</span>
      <span>{s.callFailure(code)}</span>
    </li>
  )
}

/** How the provider is by now: it may rest, or answer again. */
function Now({ provider }: { provider: string }) {
  const { navigation } = useApp()
  const { s, w } = useWords()
  const now = useEngine((state) => state.providers?.find(({ id }) => id === provider) ?? null)
  if (now === null) return null
  const { health } = now
  return (
    <p className="meta">
      <button type="button" className="link" onClick={() => navigation.go({ view: 'providers' })}>
        {provider}
      </button>
      {': '}
      <span>
        {health.kind === 'resting' ? (
          <Ticking text={(at) => w.providers.sentences(s.health(health, at), null)} />
        ) : (
          w.providers.sentences(s.health(health, 0), null)
        )}
      </span>
    </p>
  )
}

/** While a session's turns fail: another model until the failed one answers again, and a notification of that. */
function WaysOut({ session, tried }: { session: SessionView; tried: readonly FailedAttempt[] }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const { outage } = session
  const failed = useMemo(
    () => outage?.failed ?? [...new Set(tried.map(({ provider, model }) => `${provider}.${model}`))],
    [outage, tried],
  )
  const others = useStandIns(session, failed)
  if (failed.length === 0) return null
  const standIn = outage?.standIn ?? null
  const tell = outage?.tell ?? false
  const use = (target: string | null) => void actions.setOutage({ session: session.id, tell, standIn: target })
  const first = standIn ?? others[0]
  const more = others.filter((target) => target !== first)
  return (
    <>
      {first !== undefined && (
        <span className="hstack stand-in">
          <Button
            aria-pressed={standIn !== null}
            icon={standIn === null ? undefined : 'check'}
            disabled={!live}
            title={w.outage.useHint(targetText(first), failed.map(targetText).join(w.outage.or))}
            onClick={() => use(standIn === null ? first : null)}
          >
            <span className="cut">{w.outage.use(targetText(first))}</span>
          </Button>
          {more.length > 0 && (
            <Menu position="bottom-start">
              <Menu.Target>
                <IconButton icon="down" name={w.outage.useOther} disabled={!live} />
              </Menu.Target>
              <Menu.Dropdown aria-label={w.outage.useOther}>
                {more.map((target) => (
                  <MenuEntry key={target} text={w.outage.use(targetText(target))} onClick={() => use(target)} />
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      )}
      <Button
        tone="quiet"
        aria-pressed={tell}
        icon={tell ? 'check' : undefined}
        disabled={!live}
        title={w.outage.tellHint}
        onClick={() => void actions.setOutage({ session: session.id, tell: !tell, standIn })}
      >
        {w.outage.tell}
      </Button>
    </>
  )
}

function useStandIns(session: SessionView, failed: readonly string[]): readonly string[] {
  const providers = useEngine((s) => s.providers)
  const routing = useEngine((s) => s.routing)
  return useMemo(
    () => standIns({ providers: providers ?? [], routing: routing ?? null, session, failed }),
    [providers, routing, session, failed],
  )
}
