import { Menu } from '@mantine/core'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { IconButton } from '../../parts/button.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import { toggled } from '../../state/ui.ts'
import type { ReviewView } from '../../../shared/review.ts'
import type { SessionView } from '../../../shared/state.ts'
import { foundText } from './found-line.ts'

export function ReviewMenu({ session, review }: { session: SessionView; review: ReviewView | null }) {
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
          icon="reviewer"
          text={w.review.off}
          disabled={!live}
          onClick={() => void actions.setReview(session.id, false)}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
