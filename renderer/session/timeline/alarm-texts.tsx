import { useEngine } from '../../app-context.ts'
import type { AlarmsView } from '../../../shared/alarms/alarms.ts'
import type { EventBody } from '../../../shared/events.ts'
import { excerpt } from '../../../shared/sentences/excerpt.ts'

/** Events of alarms name them by id; their texts stand in the alarms, for as long as those are known. */
export function AlarmTexts({ body }: { body: EventBody }) {
  const text = useEngine((s) => (s.alarms ? textsOf(body, s.alarms) : ''))
  return text === '' ? null : <span className="t3"> {text}</span>
}

const most = 3

function textsOf(body: EventBody, { alarms, missed, history }: AlarmsView): string {
  const ids = 'taskIds' in body ? body.taskIds : 'taskId' in body ? [body.taskId] : []
  if (ids.length === 0) return ''
  const find = (id: string): string[] => {
    const known =
      alarms.find(({ taskId }) => taskId === id) ??
      missed.find(({ taskId }) => taskId === id) ??
      history.find(({ taskId }) => taskId === id)
    return known ? [`“${excerpt(known.task, 60)}”`] : []
  }
  return `${ids.slice(0, most).flatMap(find).join(' ')}${ids.length > most ? ' …' : ''}`
}
