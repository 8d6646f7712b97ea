import { zhCN as s } from '../../shared/sentences/zh-CN.ts'
import type { Spoken } from './index.ts'
import { zhCN as w } from './zh-CN.ts'

export const spoken: Spoken = { language: 'zh-CN', w, s }
