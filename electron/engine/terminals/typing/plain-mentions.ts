import type { ClientKind } from '../../../../shared/words.ts'
import { agents } from '../agents/index.ts'

/**
 * A text that no person wrote, so that the agent opens nothing for it: agents read `@file` and `$skill` anywhere in a
 * message and send the content along, Claude Code from outside the folder as well (docs/clients.md). Idempotent; only
 * backslashes and hyphens are added. Claude Code takes words like `ultracode` for a wish as well.
 *
 * @example plainMentions('see @src/x.ts', 'qwen') === 'see \\@src/x.ts'
 */
export const plainMentions = (text: string, client: ClientKind): string =>
  agents[client].expands.reduce((rest, { what, plain }) => rest.replace(what, plain), text)
