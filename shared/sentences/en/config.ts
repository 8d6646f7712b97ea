import type { Meanwhile } from '../../config-text.ts'

export function meanwhile(kind: Meanwhile): string {
  switch (kind) {
    case 'before':
      return 'The config that ran before stays in force; nothing has stopped.'
    case 'copy':
      return 'The last config that was right runs meanwhile.'
    case 'nothing':
      return 'All calls are refused until it is mended.'
  }
}
