import { useEffect, useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { TextField } from '../parts/field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Switch } from '../parts/switch.tsx'
import { Ticking } from '../time/ticking.tsx'
import type {
  ProviderView,
  RouteAnswer,
  RouteFact,
  RouteQuestion,
  RouteReason,
  RoutingView,
} from '../../shared/routing.ts'
import { countOf, parseCount } from './count.ts'
import { targetText } from '../../shared/target-text.ts'

/** A request as one imagines it, and where it would go right now. */
export function DryRun({ routing, providers }: { routing: RoutingView; providers: readonly ProviderView[] }) {
  const { w } = useWords()
  const t = w.providers
  const live = useLive()
  const sessions = useEngine((s) => s.sessions)
  const [model, setModel] = useState('')
  const [tokens, setTokens] = useState('')
  const [session, setSession] = useState('')
  const [wants, setWants] = useState({ thinking: false, image: false, webSearch: false })
  const count = parseCount(tokens)
  const chosen = sessions.get(session)
  const question: RouteQuestion | null =
    count === null
      ? null
      : {
          entry: chosen?.entry ?? 'messages',
          model: model.trim() || null,
          tokens: count,
          ...wants,
          kind: 'turn',
          session: chosen ? session : null,
        }
  const checked = useRouteCheck(question, providers, routing)
  const named = [...sessions.values()]
    .filter((s) => s.shape !== 'gone')
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const toggles = [
    ['thinking', t.thinking],
    ['image', t.image],
    ['webSearch', t.webSearch],
  ] as const
  return (
    <section className="dry" aria-label={t.dryTitle}>
      <h2>{t.dryTitle}</h2>
      <div className="dry-f">
        <TextField
          label={t.dryModel}
          placeholder={t.dryModelPlaceholder}
          value={model}
          maxLength={512}
          disabled={!live}
          onChange={(e) => setModel(e.currentTarget.value)}
        />
        <TextField
          label={t.dryTokens}
          boxClass="num"
          inputMode="numeric"
          placeholder="0"
          value={tokens}
          disabled={!live}
          aria-invalid={count === null || undefined}
          onChange={(e) => setTokens(e.currentTarget.value)}
          onBlur={() => {
            if (count) setTokens(countOf(count))
          }}
        />
        <SelectField
          label={t.drySession}
          value={chosen ? session : ''}
          disabled={!live}
          onChange={(e) => setSession(e.currentTarget.value)}
        >
          <option value="">{t.anySession}</option>
          {named.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="hstack dry-t">
        {toggles.map(([want, name]) => (
          <Switch
            key={want}
            checked={wants[want]}
            disabled={!live}
            onChange={(on) => setWants((all) => ({ ...all, [want]: on }))}
          >
            {name}
          </Switch>
        ))}
      </div>
      <div className="card dry-r" role="status">
        <Result checked={checked} />
      </div>
    </section>
  )
}

function Result({ checked }: { checked: Checked }) {
  const { w } = useWords()
  const t = w.providers
  if (checked.kind === 'asking')
    return (
      <div className="late vstack">
        <Skeleton width="40%" />
        <Skeleton width="70%" />
      </div>
    )
  if (checked.kind === 'problem')
    return (
      <p className="hstack">
        <Shape shape="failed" />
        <span>
          <b>{t.dryFailed}.</b> <span className="t2">{checked.message}</span>
        </span>
      </p>
    )
  return <Answer answer={checked.answer} />
}

/** These decide among the models of a route, after the passed-over ones are out. */
const late: ReadonlySet<RouteReason['code']> = new Set(['sticky', 'shared', 'trial', 'all-rest'])

function Answer({ answer }: { answer: RouteAnswer }) {
  const { w, s } = useWords()
  const t = w.providers
  const goes = answer.kind === 'goes'
  const { why, skipped } = goes ? answer.route : answer
  const target = goes ? `${answer.route.provider}/${answer.route.model}` : null
  const reason = (r: RouteReason) => (
    <li key={s.routeReason(r)}>
      <Icon name="check" />
      <span>{s.routeReason(r)}</span>
    </li>
  )
  return (
    <>
      <div className="hstack">
        <span className="t3">{goes ? t.goesTo : t.goesNowhere}</span>
        {target && (
          <b className="cut" title={target}>
            {target}
          </b>
        )}
        {goes && answer.route.keyAlias !== null && <span className="meta cut">{t.key(answer.route.keyAlias)}</span>}
        <span className="grow" />
        <span className="meta dry-n">{t.nothingSent}</span>
      </div>
      {!goes && <p className="wrap">{answer.message}</p>}
      <ol className="steps">
        {why.filter((r) => !late.has(r.code)).map(reason)}
        {skipped.map((skip) => (
          <Skipped key={`${skip.candidate} ${skip.why.code}`} skip={skip} />
        ))}
        {why.filter((r) => late.has(r.code)).map(reason)}
        {goes && target && (
          <li>
            <Icon name="check" />
            <span>{t.takes(target, answer.contextWindow === null ? null : countOf(answer.contextWindow))}</span>
          </li>
        )}
      </ol>
    </>
  )
}

function Skipped({ skip }: { skip: RouteFact['skipped'][number] }) {
  const { w, s } = useWords()
  const { candidate, why } = skip
  const text = (now: number) => w.providers.passedOver(targetText(candidate), s.passedOver(why, now))
  return (
    <li>
      <Shape shape="held" />
      <Ticking text={text} />
    </li>
  )
}

/** Typing asks once it pauses. */
const settleMs = 200

type Checked = { kind: 'asking' } | { kind: 'answer'; answer: RouteAnswer } | { kind: 'problem'; message: string }

/**
 * Asks where such a request would go: again when the question changes, and when providers or routes do. The last answer
 * stays until the next.
 */
function useRouteCheck(
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
