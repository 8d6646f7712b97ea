import type { Meanwhile } from '../../config-text.ts'

export function meanwhile(kind: Meanwhile): string {
  switch (kind) {
    case 'before':
      return '之前的配置继续生效，没有任何东西停下。'
    case 'copy':
      return '暂时使用上一份正确的配置。'
    case 'nothing':
      return '修好之前，所有请求都会被拒绝。'
  }
}
