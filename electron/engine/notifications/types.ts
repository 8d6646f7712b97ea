import type { NoticeKind } from '../../../shared/notice-classes.ts'

/** One notice as it is sent. */
export interface OutsideMessage {
  id: string
  class: NoticeKind | 'test'
  title: string
  body: string
  at: number
  session: { id: string; name: string } | null
  /** where a click leads; a terminal stands for the session that it will have */
  about?: { kind: 'session' | 'terminal'; id: string } | null
  /** it only takes the place of one that was sent: nothing is asked any more */
  over?: true
  /** the number of other notices in it, because they came together */
  more: number
}

/** Where in the dashboard a click leads. */
export const pathOf = ({ about, class: kind }: Pick<OutsideMessage, 'about' | 'class'>): string =>
  about ? `/${about.kind}/${encodeURIComponent(about.id)}` : kind.startsWith('alarm') ? '/alarms' : '/'

/** Where it goes. Never logged. */
export interface OutsideAddress {
  url: string
  token: string | null
}
