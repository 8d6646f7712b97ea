import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Said } from '../../parts/said.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { ReviewView } from '../../../shared/review.ts'
import type { SessionView } from '../../../shared/state.ts'
import { type FoundLine, foundLines, foundText } from './found-line.ts'
import { currentReviewer, reviewedBy } from './reviewer-name.ts'
import { AllRounds } from '../rounds/all-rounds.tsx'
import { reviewText, verdictOf } from './verdict.ts'
import { Menu } from '@mantine/core'
import { IconButton } from '../../parts/button.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import { toggled } from '../../state/ui.ts'

/** As many lines as the card of the goal beside it has. */
const mostLines = 3

/** The reviewer's findings in the round before, or that it is looking right now. */
export function ReviewCard({ session }: { session: SessionView }) {
  const goal = session.stopMessage
  const status = goal?.status
  if (status?.kind === 'reviewing') return <Running session={session} round={status.round} since={status.since} />
  const latest = goal?.goal?.latest
  return latest ? <Found session={session} review={latest} /> : null
}

function Running({ session, round, since }: { session: SessionView; round: number; since: number }) {
  const words = useWords()
  const { w, f } = words
  const by = currentReviewer(
    useEngine((s) => s.status?.review),
    words,
  )
  return (
    <section className="card" aria-label={w.review.label(round)}>
      <div className="card-head">
        <Icon name="reviewer" />
        <h2>{w.goal.round(round)}</h2>
        <span className="strong meta working">{w.review.looking}</span>
        <span className="grow" />
        <Ticking className="meta num" title={f.instant(since)} text={(now) => f.span(now - since)} />
        <ReviewMenu session={session} review={null} />
      </div>
      <p className="card-text t2">{w.review.lookingText}</p>
      <div className="divider low" />
      <div className="hstack meta">
        <span className="cut">{by}</span>
        <span className="grow" />
        <AllRounds session={session} />
      </div>
    </section>
  )
}

function Found({ session, review }: { session: SessionView; review: ReviewView }) {
  const words = useWords()
  const { w, s, f } = words
  const { outcome, round, ms } = review
  const cost = f.cost(review)
  const by = reviewedBy(
    review,
    useEngine((state) => state.status?.review),
    words,
  )
  const lines = foundLines(review, words)
  const text = reviewText(review, s)
  const note =
    outcome.code === 'failed'
      ? w.review.inARow(outcome.inARow)
      : outcome.code === 'reached-unchecked'
        ? w.review.unchecked
        : null
  return (
    <section className="card" aria-label={w.review.label(round)}>
      <div className="card-head">
        <Icon name="reviewer" />
        <h2>{w.goal.round(round)}</h2>
        <span className={`strong meta cut ${verdictOf(outcome).tone}`} title={s.reviewOutcome(outcome)}>
          {w.review.words[outcome.code]}
        </span>
        <span className="grow" />
        <span className="meta num" title={f.instant(review.at)}>
          {f.took(ms)}
        </span>
        <ReviewMenu session={session} review={review} />
      </div>
      <p className="card-text" title={text}>
        <Said text={text} />
      </p>
      {note && <p className="meta card-note">{note}</p>}
      {lines.length > 0 && (
        <FoundList
          lines={lines.slice(0, mostLines)}
          label={review.evidence.length > 0 ? w.review.evidence : w.review.looks}
        />
      )}
      {lines.length > mostLines && <p className="meta found-more">{w.review.more(lines.length - mostLines)}</p>}
      <div className="divider low" />
      <div className="hstack meta">
        <span className="cut" title={by}>
          {by}
        </span>
        {cost !== null && <span className="num">{cost}</span>}
        <span className="grow" />
        <AllRounds session={session} />
      </div>
    </section>
  )
}

/** One line each, with where it stands in its title. */
function FoundList({ lines, label, wrap }: { lines: readonly FoundLine[]; label: string; wrap?: boolean }) {
  return (
    <ul className="check-list found meta" aria-label={label}>
      {lines.map(({ key, text, title, ok }) => (
        <li key={key}>
          <Icon name={ok ? 'check' : 'x'} off={!ok} />
          <span className={wrap ? 'wrap' : 'cut'} title={`${text}\n${title}`}>
            <Said text={text} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ReviewMenu({ session, review }: { session: SessionView; review: ReviewView | null }) {
  const { actions, navigation, ui } = useApp()
  const words = useWords()
  const { w } = words
  const live = useLive()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon="more" small name={w.review.actions} />
      </Menu.Target>
      <Menu.Dropdown aria-label={w.review.actions}>
        <MenuEntry
          icon="list"
          text={w.review.allRounds}
          keys="6"
          onClick={() =>
            navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'rounds' } })
          }
        />
        <MenuEntry
          icon="type"
          text={w.review.followup}
          onClick={() => ui.setState((s) => ({ followupCards: toggled(s.followupCards, session.id) }))}
        />
        {review && (
          <MenuEntry
            icon="copy"
            text={w.review.copy}
            onClick={() => void actions.copy(foundText(review, words), w.say.copied)}
          />
        )}
        <MenuEntry
          does="editStopMessage"
          icon="reviewer"
          text={w.review.off}
          disabled={!live}
          onClick={() => void actions.setReview(session.id, false)}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
