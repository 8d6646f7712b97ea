import { useWords } from '../app-context.ts'
import { Empty } from '../parts/empty.tsx'

/** No alarm can be set yet: says what one is, and offers nothing that does not work. */
export function AlarmsView() {
  const { w } = useWords()
  return (
    <main className="pane" data-pane-stop>
      <header className="pane-head wide-head"><h1>{w.views.alarms}</h1></header>
      <Empty icon="alarm" title={w.alarms.emptyTitle} text={w.alarms.emptyText} />
    </main>
  )
}
