import { messageOf } from '../../engine/base/errors.ts'
import { bad, good, type Check } from './types.ts'

/** Not spelled out in the import: only whether it loads matters here, and its alias has no types of its own name. */
const moduleName: string = 'node-pty'

/** Its native part is prebuilt for common systems only. Without it tmux still works. */
export const checkNodePty: Check = async () => {
  try {
    const pty: unknown = await import(/* @vite-ignore */ moduleName)
    if (typeof pty !== 'object' || pty === null || !('spawn' in pty)) throw new Error('it has no spawn')
    return [good('terminals', 'Terminals can be hosted (node-pty loads).')]
  } catch (error) {
    return [
      bad(
        'terminals',
        `node-pty does not load: ${messageOf(error)}`,
        'Run `npm ci` again on this machine. Until then start agents inside tmux.',
      ),
    ]
  }
}
