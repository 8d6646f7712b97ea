import { OnwardError } from '../../../base/errors.ts'
import type { TakeOver } from '../../take-over/types.ts'

const notBuilt = (): never => { throw new OnwardError('not-built', 'This protocol can’t carry tools of Onward yet.') }

export const responsesTakeOver: TakeOver = {
  clientTools: () => [],
  cannotDeclare: () => 'not built',
  declare: notBuilt,
  filter: notBuilt,
  filterBody: (body) => body,
  says: () => true,
  readAnswer: notBuilt,
  resultItems: notBuilt,
  userItem: notBuilt,
  append: notBuilt,
  resultsBeside: notBuilt,
  turns: () => [],
  restore: () => [],
}
