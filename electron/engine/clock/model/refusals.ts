import { OnwardError } from '../../base/errors.ts'

export const unknown = () =>
  new OnwardError('alarm-unknown', 'There is no such alarm any more. List them to see which there are.', {
    status: 404,
  })
export const settledAlready = () =>
  new OnwardError('missed-unknown', 'This missed alarm was settled already.', { status: 404 })
export const underWay = () =>
  new OnwardError('alarm-under-way', "This alarm is being delivered right now, so it can't be changed any more.", {
    status: 409,
  })
export const longPast = (dueAtMs: number) =>
  new OnwardError('alarm-over', `${new Date(dueAtMs).toISOString()} is long past. Give a time to come.`, {
    status: 400,
  })
