import type { NoticeKind } from '../../../shared/notice-classes.ts'

/** One notice as it is sent. */
export interface OutsideMessage {
  id: string
  class: NoticeKind | 'test'
  title: string
  body: string
  at: number
  session: { id: string; name: string } | null
  /** where a paired phone finds it; null: no address is open for phones */
  link: string | null
  /** the number of other notices in it, because they came together */
  more: number
}

/** Where it goes. Never logged. */
export interface OutsideAddress {
  url: string
  token: string | null
}
