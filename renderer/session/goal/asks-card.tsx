import { useState } from 'react'
import { useApp, useEngine, useLive, useMay, useWords } from '../../app-context.ts'
import { parseNeed } from '../../../shared/sentences/needs.ts'
import type { AskedChoice, AskedView, SessionSay, SessionView } from '../../../shared/state.ts'
import { OpenTerminalButton } from '../open-terminal-button.tsx'
import { Button } from '../../parts/button.tsx'
import { homeShort } from '../../parts/home-short.ts'
import { Shape } from '../../icons/shape.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { waiting } from '../queue/waiting.ts'

type Asking = Extract<SessionSay, { code: 'needs-you' }>

/** An agent's question to a person: as its own screen shows it where that could be read, else in its words. */
export function AsksCard({
  session,
  say,
  inTerminal = false,
}: {
  session: SessionView
  say: Asking
  /** it stands below the terminal itself */
  inTerminal?: boolean
}) {
  const { actions } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const need = parseNeed(say.what)
  const detail = 'detail' in need ? need.detail : null
  const said = detail === null || need.kind === 'act' ? s.need(say.what) : s.need(need.kind)
  const first = waiting(session.queue)[0]
  const { since } = say
  const agent = w.agents[session.client]
  return (
    <>
      <div className="card-head">
        <Shape shape="needs" />
        <h2>{need.kind === 'words' ? s.need('question') : said}</h2>
        <span className="meta cut">{session.cwd === null ? agent : w.card.asksIn(agent, homeShort(session.cwd))}</span>
        <span className="grow" />
        {since !== undefined && (
          <Ticking
            className="meta num"
            title={f.instant(since)}
            text={(now) => w.card.asksSince(f.minute(since), f.span(Math.max(0, now - since)))}
          />
        )}
      </div>
      {say.asked ? (
        <Dialog session={session} asked={say.asked} prose={need.kind === 'question'} inTerminal={inTerminal} />
      ) : (
        <>
          {detail && <p className={`quote${need.kind === 'question' ? '' : ' mono'}`}>{detail}</p>}
          {need.kind !== 'calls-elsewhere' && <p className="t2">{w.card.needsText}</p>}
        </>
      )}
      <div className="hstack">
        {!inTerminal && <OpenTerminalButton session={session} primary />}
        {first && (
          <Button does="cancelEntry" tone="quiet" disabled={!live} onClick={() => void actions.cancelEntry(first)}>
            {w.card.dropFollowup}
          </Button>
        )}
      </div>
    </>
  )
}

/** The dialog itself. Its choices can be pressed where Onward hosts the terminal and knows how to reach them. */
function Dialog({
  session,
  asked,
  prose,
  inTerminal,
}: {
  session: SessionView
  asked: AskedView
  prose: boolean
  inTerminal: boolean
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [busy, setBusy] = useState<string | null>(null)
  const { terminalId } = session
  const hosted = useEngine((s) => terminalId !== null && s.terminals.get(terminalId)?.home === 'hosted')
  const may = useMay('answerDialog')
  const reached = ({ key }: AskedChoice) => key !== null || asked.pointer !== undefined
  const answer = async (choice: string) => {
    if (terminalId === null) return
    setBusy(choice)
    await actions.answerDialog({ terminalId, question: asked.question, about: asked.about, choice })
    setBusy(null)
  }
  return (
    <>
      {/* what it is about stands right above, in the terminal */}
      {asked.about !== null && !inTerminal && <p className={`quote${prose ? '' : ' mono'}`}>{asked.about}</p>}
      {asked.question !== null && <p>{asked.question}</p>}
      <ul className="asked-choices" aria-label={w.card.choices}>
        {asked.choices.map((choice, at) => {
          const { label, key } = choice
          return (
            <li key={label}>
              {hosted && may && reached(choice) ? (
                <Button
                  className="choice"
                  busy={busy === label}
                  disabled={!live || busy !== null}
                  onClick={() => void answer(label)}
                >
                  <span className="num t3">{key ?? at + 1}.</span>
                  <span className="grow">{label}</span>
                  <span className="meta">{key === null ? w.card.pressesEnter : w.card.presses(key)}</span>
                </Button>
              ) : (
                <span className="t2">{key === null ? label : `${key}. ${label}`}</span>
              )}
            </li>
          )
        })}
      </ul>
      <p className="t2">
        {!may
          ? w.card.mayNotAnswer
          : !hosted
            ? w.card.elsewhere
            : asked.choices.some(reached)
              ? w.card.onlyYou
              : w.card.notReached}
      </p>
    </>
  )
}
