import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'
import type { SessionSay } from '../../../shared/state.ts'

/** What the agent set itself has reached a bound: a person lets it go on, or has it stopped. */
export function DrivesAsk({ id, say }: { id: string; say: Extract<SessionSay, { code: 'drives-ask' }> }) {
  const { actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const { busy, refused, give } = useOrder()
  const t = w.drives
  return (
    <Trouble
      shape="needs"
      title={t.asksTitle}
      text={refused ?? (say.drive ? s.say(say, 0) : t.asks(s.budget(say.budget, say.limit)))}
    >
      <div className="hstack">
        <Button
          does="letDrives"
          tone="primary"
          disabled={!live}
          busy={busy}
          onClick={() => void give(() => actions.letDrives(id, say.drive?.id ?? null))}
        >
          {t.letGoOn}
        </Button>
        <Button
          does="stopDrive"
          disabled={!live || busy}
          onClick={() => void give(() => actions.stopDrive(id, say.drive?.id ?? null))}
        >
          {say.drive ? t.stop : t.stopAll}
        </Button>
      </div>
    </Trouble>
  )
}
