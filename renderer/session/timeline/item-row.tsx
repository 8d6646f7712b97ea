import { memo } from 'react'
import { EventRowView } from './event-row.tsx'
import { FollowupRowView } from './followup-row.tsx'
import { FailuresRowView } from './failures-row.tsx'
import { sameRow, type ShownRow } from './rows.ts'
import { TurnRowView } from './turn-row.tsx'

interface Props {
  row: ShownRow
  linked: boolean
  active: boolean
  /** number of the turn that runs now */ running: number | null
  /** where the session's turns go */ route: string | null
}

/** Events are folded anew with every one that comes; rows that look the same are not drawn again. */
export const ItemRow = memo(
  Row,
  (a, b) =>
    sameRow(a.row, b.row) &&
    a.linked === b.linked &&
    a.active === b.active &&
    (isRunning(b.row) ? a.running === b.running && a.route === b.route : true),
)

const isRunning = (row: ShownRow): boolean => row.kind === 'turn' && row.ended === null

function Row({ row, linked, active, running, route }: Props) {
  switch (row.kind) {
    case 'turn':
      return <TurnRowView row={row} active={active} running={running} route={route} />
    case 'followup':
      return <FollowupRowView row={row} linked={linked} active={active} />
    case 'failures':
      return <FailuresRowView row={row} active={active} />
    case 'event':
      return <EventRowView row={row} linked={linked} active={active} />
  }
}
