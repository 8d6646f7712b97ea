import { type ReactNode, useMemo } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { canShellOpen, shellOpen } from '../control/shell.ts'
import { IconButton } from '../parts/button.tsx'
import { Offered } from '../parts/offered.tsx'
import { lastTools } from './last-tools.ts'
import { toolsText } from './tools-text.ts'
import type { OperationName } from '../../shared/operations/index.ts'
import type { SessionView } from '../../shared/state.ts'
import { Switch } from '../parts/switch.tsx'

/** Everything known of a session, to read and to copy. */
export function DetailsTab({ session }: { session: SessionView }) {
  const { w, s: say, f } = useWords()
  const d = w.details
  const terminal = useEngine((s) => (session.terminalId === null ? undefined : s.terminals.get(session.terminalId)))
  const events = useEngine((s) => s.timelines.get(session.id)?.events)
  const last = useMemo(() => lastTools(events ?? []), [events])
  const { usage } = session
  const count = (n: number) => n.toLocaleString('en').replaceAll(',', ' ')
  const set = session.routing
  const routing =
    set &&
    f.list(
      [
        set.allow ? d.onlyProviders(set.allow.join(', ')) : '',
        set.prefer ? d.preferModel(set.prefer) : '',
        set.disabled.length > 0 ? d.disabledTargets(set.disabled.join(', ')) : '',
      ].filter(Boolean),
    )
  const lines: readonly (readonly [string, string | null, boolean?])[] = [
    [d.id, session.id, true],
    [d.agent, w.agents[session.client]],
    [d.protocol, session.entry && d.protocols[session.entry]],
    [d.scope, session.scope, true],
    [d.terminal, terminal ? `${terminal.name}${terminal.pane ? `, ${terminal.pane.paneId}` : ''}` : d.noTerminal],
    [d.folder, session.cwd, true],
    [d.model, session.model, true],
    [d.route, session.route && `${session.route.provider}/${session.route.model}`],
    ...(routing ? [[d.routing, routing] as const] : []),
    [d.turns, count(session.turns)],
    ...(session.inbox ? [[d.delivery, say.inbox(session.inbox)] as const] : []),
    ...(session.startedAgain ? [[d.startedAgain, d.times(session.startedAgain)] as const] : []),
    ...(last
      ? [
          [
            d.tools,
            f.list([last.turn === null ? f.time(last.at) : say.turn(last.turn, 'turn'), toolsText(last.tools)]),
          ] as const,
        ]
      : []),
    [d.tokensIn, f.list([count(usage.input), d.cached(count(usage.cachedInput))])],
    [d.tokensOut, f.list([count(usage.output), d.reasoning(count(usage.reasoning))])],
    [d.cost, say.spent(session)],
    ...(session.cold ? [[d.cold, say.coldCaches(session.cold)] as const] : []),
    [d.started, f.instant(session.startedAt)],
    [d.lastActivity, f.instant(session.lastActivityAt)],
  ]
  return (
    <>
      <SessionSwitches session={session} />
      <dl className="kv" data-pane-stop>
        {lines.map(([name, value, copy]) => (
          <Line
            key={name}
            name={name}
            value={value}
            copy={copy}
            {...(name === d.folder && canShellOpen() ? { onOpen: () => shellOpen({ folderOf: session.id }) } : {})}
          />
        ))}
      </dl>
    </>
  )
}

function Line({
  name,
  value,
  copy,
  onOpen,
}: {
  name: string
  value: string | null
  copy?: boolean | undefined
  onOpen?: () => void
}) {
  const { actions } = useApp()
  const { w } = useWords()
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">
        {value === null ? (
          <span className="t3">{w.details.unknown}</span>
        ) : (
          <>
            <span className="cut" title={value}>
              {value}
            </span>
            {onOpen && <IconButton icon="folder" small name={w.config.openFolder} onClick={onOpen} />}
            {copy && (
              <IconButton
                icon="copy"
                small
                name={`${w.say.copy}: ${name}`}
                onClick={() => void actions.copy(value, w.say.copied)}
              />
            )}
          </>
        )}
      </dd>
    </div>
  )
}

/** A person's switches for one session. The engine sends the new state; until then the switch stays where it was. */
function SessionSwitches({ session }: { session: SessionView }) {
  const { actions } = useApp()
  const { w } = useWords()
  const d = w.details
  return (
    <section className="d-switches" aria-label={d.switches}>
      <SwitchLine
        does="setResumeAtReset"
        text={d.resume}
        hint={d.resumeHint}
        checked={session.resumeAtReset === true}
        onChange={(on) => void actions.resumeAtReset([session.id], on)}
      />
      <SwitchLine
        does="setRecover"
        text={d.recover}
        hint={d.recoverHint}
        checked={session.recovers === true}
        onChange={(on) => void actions.setRecover(session.id, on)}
      />
      <SwitchLine
        does="setCapture"
        text={d.capture}
        hint={d.captureHint}
        checked={session.capture === true}
        onChange={(on) => void actions.keepBodies(session.id, on)}
      />
    </section>
  )
}

function SwitchLine({
  does,
  text,
  hint,
  checked,
  onChange,
}: {
  does: OperationName
  text: string
  hint: ReactNode
  checked: boolean
  onChange: (on: boolean) => void
}) {
  const live = useLive()
  return (
    <Offered to={does}>
      <div>
        <Switch checked={checked} disabled={!live} onChange={onChange}>
          <span>{text}</span>
        </Switch>
        <p className="meta">{hint}</p>
      </div>
    </Offered>
  )
}
