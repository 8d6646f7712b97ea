import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import type { AlarmView } from '../../shared/alarms/alarms.ts'

/** Whose alarm it is: the model's or the person's own. */
export function SetBy({ by }: { by: AlarmView['setBy'] }) {
  const { w } = useWords()
  return (
    <span className="a-by meta">
      <Icon name={by} />
      {w.alarms.byWord[by]}
    </span>
  )
}
