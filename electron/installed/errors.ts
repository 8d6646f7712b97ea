import { OnwardError } from '../engine/base/errors.ts'

export const notOurs = (path: string): OnwardError =>
  new OnwardError('installed-foreign', `${path} is not Onward’s, so it is left as it is. Move it away first.`)
