import { messageOf } from '../../engine/base/errors.ts'
import { bad, good, type Check } from './types.ts'

/** Its native part is prebuilt for common systems only. Without it tmux still works. */
export const checkNodePty: Check = async () => {
  try {
    const pty = await import('node-pty')
    if (typeof pty.spawn !== 'function') throw new Error('it has no spawn')
    return [good('terminals', 'Terminals can be hosted (node-pty loads).')]
  } catch (error) {
    return [bad('terminals', `node-pty does not load: ${messageOf(error)}`, 'Run `npm ci` again on this machine. Until then start agents inside tmux.')]
  }
}
