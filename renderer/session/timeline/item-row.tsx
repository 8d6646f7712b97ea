import { memo } from 'react'
import type { SessionView } from '../../../shared/state.ts'
import { EventRowView } from './event-row.tsx'
import { FollowupRowView } from './followup-row.tsx'
import type { GroupRow } from './groups.ts'
import { TurnRowView } from './turn-row.tsx'

interface Props { row: GroupRow; linked: boolean; active: boolean; session: SessionView }

export const ItemRow = memo(function ItemRow({ row, linked, active, session }: Props) {
  switch (row.kind) {
    case 'turn': return <TurnRowView row={row} active={active} session={session} />
    case 'followup': return <FollowupRowView row={row} linked={linked} active={active} />
    case 'event': return <EventRowView row={row} linked={linked} active={active} />
  }
})
